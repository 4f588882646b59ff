"""CP-SAT in every configuration that seems sensible, beside CP-SAT as Concord calls it.

    python -m results.studies.speed.cpsat [--only PART]... [--repeat K] [--out DIR]

Words
-----
part            structures of one kind, a few instances that ship with Concord or that are drawn
                here from fixed seeds
configuration   a formulation and CP-SAT's parameters. All but ``plain`` use Concord's models, built
                once for a structure; nothing of Concord is around their calls
plain           the script that the OR-Tools documentation would have its user write: integer
                variables, add_all_different, the model built for each instance, default parameters,
                one worker; for an enumeration its callback
concord         ``registry.get("cpsat").solve(problem, ask)``: everything that is counted against
                CP-SAT in a comparison, but for stating the problem
cell            a part and an ask

All rows of a cell run in this process, instance by instance, in a turn each, in an order drawn
anew for each turn. A call is made twice and the second is counted, since in a run the calls of one
backend follow one another; where the configurations, which share most of their code, come before
``concord``, it alone would find cold caches. CPU seconds of the process are counted. A row's figure
is the geometric mean over the instances of the median over the turns of its time in proportion to
another row's in the same turn: what else the machine does hits both. The *best* configuration of a
cell is the one with the least such figure beside ``concord``, and all figures that are shown are
beside the best; so each row is compared with one configuration, not with the best for each
instance. What came near the best runs as many turns again as ``--repeat`` says, times ``AGAIN``. At
the end ``concord`` and the best run ``AGAIN`` times as many turns by themselves, and those alone
make Concord's figure: between two turns of a pair lies the same work for both, while among all rows
only ``concord`` has code that no other row shares.
A row that has failed in a cell is not asked again there.

Every answer is checked: solutions by the constraints' definitions, counts and optima against those
of ``propagation`` or what is known of the part. A row with a wrong answer in a cell is no rival
there and is named; so is one that does not end within ``LIMIT`` seconds.
Writes ``cpsat.json`` and ``cpsat.md`` to ``--out``.

Read ``parts`` (what is asked), ``configurations`` (of what), ``measuring`` and ``report``.
"""
