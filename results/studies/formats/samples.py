"""Whole files of each format that is read, of our own; together they use most of what it has."""

from __future__ import annotations

from collections.abc import Iterator

XCSP3 = (
    """<?xml version="1.0" encoding="UTF-8"?>
<!-- the usual constraints -->
<instance format="XCSP3" type="CSP">
  <variables>
    <array id="x" size="[4]" note="a row"> 0..3 </array>
    <array id="y" size="[2][3]"> <domain for="y[0][]"> 1 3 5..7 </domain>
      <domain for="others"> -2..2 </domain> </array>
    <var id="z"> 0 1 </var>
    <var id="w" as="z"/>
  </variables>
  <constraints>
    <allDifferent> x[] </allDifferent>
    <allDifferent> <list> x[] </list> <except> 0 </except> </allDifferent>
    <intension> or(eq(x[0],add(x[1],1)),lt(dist(y[0][0],y[1][1]),mul(2,z))) </intension>
    <extension> <list> x[0] x[1] </list> <supports> (0,1)(1,*)(2,0..1) </supports> </extension>
    <extension> <list> z </list> <conflicts> 1 </conflicts> </extension>
    <sum> <list> x[] </list> <coeffs> 1 2 -3 1x1 </coeffs> <condition> (ge,-4) </condition> </sum>
    <count> <list> y[][] </list> <values> 1 2 </values> <condition> (le,3) </condition> </count>
    <nValues> <list> x[1..2] z </list> <condition> (in,1..3) </condition> </nValues>
    <cardinality> <list> x[] </list> <values> 0 1 2 </values> <occurs> 0..1 1 z </occurs>
    </cardinality>
    <element> <list startIndex="1"> 3 5 7 </list> <index> x[3] </index> <value> y[0][1] </value>
    </element>
    <regular> <list> x[] </list> <transitions> (a,0,a)(a,1,b)(b,2,b)(b,3,a) </transitions>
      <start> a </start> <final> a b </final> </regular>
    <mdd> <list> x[0] z </list> <transitions> (r,0,n)(r,1,n)(n,0,t)(n,1,t) </transitions> </mdd>
    <block class="symmetry-breaking">
      <lex> <list> x[0] x[1] </list> <list> x[2] x[3] </list> <operator> le </operator> </lex>
    </block>
    <group> <intension> ne(%0,%1) </intension> <args> x[0] y[1][0] </args> <args> x[1] z </args>
    </group>
    <slide> <list> x[] </list> <intension> le(%0,add(%1,2)) </intension> </slide>
    <channel> <list> x[] </list> </channel>
    <circuit> <list> x[] </list> </circuit>
    <noOverlap> <origins> x[0] x[1] </origins> <lengths> 1 2 </lengths> </noOverlap>
    <cumulative> <origins> x[] </origins> <lengths> 1 1 2 1 </lengths> <heights> 1 2 1 1 </heights>
      <condition> (le,3) </condition> </cumulative>
    <binPacking> <list> x[] </list> <sizes> 1 2 1 1 </sizes> <condition> (le,4) </condition>
    </binPacking>
    <instantiation> <list> z </list> <values> 0 </values> </instantiation>
    <maximum> <list> x[] </list> <condition> (eq,3) </condition> </maximum>
    <ordered> <list> y[1][] </list> <operator> lt </operator> </ordered>
    <allEqual> <list> z w </list> </allEqual>
    <precedence> <list> x[] </list> <values> 0 1 </values> </precedence>
  </constraints>
</instance>
""",
    """<instance format="XCSP3" type="COP">
  <variables> <array id="take" size="[5]"> 0 1 </array> <var id="s"> 0..20 </var> </variables>
  <constraints>
    <sum> <list> take[] </list> <coeffs> 4 3 2 5 1 </coeffs> <condition> (eq,s) </condition> </sum>
    <intension> imp(take[0],not(eq(take[1],1))) </intension>
    <knapsack> <list> take[] </list> <weights> 1 2 3 4 5 </weights> <limit> 9 </limit>
      <profits> 2 2 2 2 2 </profits> <condition> (ge,4) </condition> </knapsack>
  </constraints>
  <objectives>
    <maximize type="sum"> <list> take[] s </list> <coeffs> 2 3 4 5 6 -1 </coeffs> </maximize>
  </objectives>
  <annotations> <decision> take[] </decision> </annotations>
</instance>
""",
    '<instance format="XCSP3" type="CSP"><variables><array id="q" size="[6]">0..5</array>'
    "</variables><constraints><allDifferent>q[]</allDifferent><allDifferent>add(q[0],0) "
    "add(q[1],1) add(q[2],2)</allDifferent>"
    "<allDifferent><matrix>(q[0],q[1])(q[2],q[3])</matrix></allDifferent>"
    "</constraints></instance>",
)

FLATZINC = (
    """% the usual constraints
predicate mine(var int: a, array [int] of var int: b);
array [1..4] of int: weights = [1, 2, -3, 4];
int: five = 5;
array [1..2] of set of int: pair = [{1, 3}, 2..4];
var 1..5: x :: output_var;
var {1, 3, 5}: y :: output_var;
var -3..3: z;
var bool: b :: output_var;
var bool: c = true;
var 0..40: cost :: is_defined_var;
array [1..3] of var int: row :: output_array([1..3]) = [x, y, z];
constraint int_lin_le([1, 2, -1], row, five);
constraint int_lin_eq([2, 3, -1], [x, y, cost], 0) :: defines_var(cost);
constraint int_le_reif(x, y, b);
constraint int_times(x, z, z) :: domain;
constraint int_div(y, x, 1);
constraint array_bool_or([b, c], true);
constraint array_bool_and([b, c], b);
constraint bool_clause([b], [c]);
constraint set_in(x, {1, 2, 4});
constraint set_in_reif(y, 2..4, b);
constraint array_int_element(x, [3, 1, 4, 1, 5], y);
constraint array_var_int_element(x, [x, y, z, x, y], z);
constraint int_abs(z, x);
constraint int_max(x, y, 5);
constraint bool2int(b, 1);
constraint fzn_all_different_int([x, y, z]);
constraint fzn_cumulative([x, y], [1, 2], [1, 1], 2);
constraint fzn_table_int([x, y], [1, 1, 2, 3, 4, 5]);
constraint fzn_circuit([x, y, z]);
constraint fzn_global_cardinality([x, y, z], [1, 3], [1, 1]);
constraint fzn_regular([x, y], 2, 5, [1, 2, 1, 2, 1, 2, 1, 2, 1, 2], 1, {1, 2});
constraint fzn_inverse([x, y], [y, x]);
constraint fzn_lex_lesseq_int([x, y], [y, z]);
constraint fzn_count_eq([x, y, z], 1, b);
solve :: int_search(row, first_fail, indomain_min, complete) minimize cost;
""",
    """var 0..1000000: a :: output_var;
var int: free :: is_defined_var;
constraint int_plus(a, 3, free) :: defines_var(free);
constraint int_lin_ne([1, -1], [a, free], -4);
solve maximize a;
""",
    "var bool: p :: output_var; var bool: q :: output_var;\n"
    "constraint bool_not(p, q); constraint bool_xor(p, q, true);\nsolve satisfy;\n",
)

CNF = (
    "c a comment\np cnf 5 4\n1 -2 0\n2 3 -4 0\n-1 -3\n 5 0\n-5 4 0\n",
    "c ind 1 2 0\np cnf 3 2\nc p show 1 2 0\n1 2 3 0\n-1 -2 0\n%\n0\n",
    "p cnf 40 39\n" + "".join(f"-{k} {k + 1} 0\n" for k in range(1, 40)),
)

WCNF = (
    "c old\np wcnf 4 5 20\n20 1 2 0\n20 -1 -3 0\n3 -2 0\n4 3 4 0\n1 -4 0\n",
    "c new\nh 1 2 0\nh -1 -3 0\n3 -2 0\n4 3 4 0\n1000000000000000000000 -4 0\n",
    "p wcnf 2 2\n1 1 2 0\n2 -1 0\n",
)

OPB = (
    "* #variable= 5 #constraint= 3\n* a comment\nmin: +2 x1 -3 x2 +1 x3 x4 ;\n"
    "+1 x1 +4 ~x2 >= 2 ;\n+1 x1 x4 -1 x3 = 0 ;\n-1 x1 -1 x2 -1 x5 >= -2 ;\n",
    "* #variable= 3 #constraint= 3 #soft= 2 mincost= 2 maxcost= 5 sumcost= 7\nsoft: 8 ;\n"
    "[2] +1 x1 +1 x2 >= 1 ;\n[5] -1 x1 >= 0 ;\n+1 x1 +1 x3 = 1 ;\n",
    "max: 1 x1 x2 ;\n+3 x1 +2 x2 +123456789012345678901234567890 x3 >= 5 ;\n+1 x1 <= 1 ;\n",
)

SAMPLES: dict[str, tuple[str, ...]] = {
    "xcsp3": XCSP3,
    "flatzinc": FLATZINC,
    "cnf": CNF,
    "wcnf": WCNF,
    "opb": OPB,
}
"""By the name of the format."""


def list_samples() -> Iterator[tuple[str, str]]:
    """Every sample with the name of its format."""
    for name, texts in SAMPLES.items():
        for text in texts:
            yield name, text
