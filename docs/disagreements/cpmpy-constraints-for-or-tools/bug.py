import cpmpy as cp

x, b = cp.intvar(0, 1, name="x"), cp.boolvar(name="b")
automaton = b.implies(cp.Regular([x], [(0, 0, 1)], 0, [1]))
diagram = cp.MDD([x, x], [("r", 0, "a"), ("a", 1, "t"), ("d", 1, "t")])
for constraint in (automaton, ~cp.Circuit([b, x]), diagram):
    try:
        print(cp.__version__, cp.Model(constraint).solve(solver="ortools"))
    except (TypeError, KeyError, cp.exceptions.TypeError) as error:
        print(cp.__version__, type(error).__name__)
