import cpmpy as cp

x, y = cp.intvar(0, 1, name="x"), cp.intvar(1, 2, name="y")
b = cp.boolvar(name="b")
table = cp.Model(b.implies(cp.Table([y], [[1], [1], [2]])))
automaton = cp.Model(b.implies(cp.Regular([x, y], [(0, 0, 1), (1, 1, 1)], 0, [1])))
print(cp.__version__, table.solveAll(solver="ortools"), automaton.solveAll(solver="ortools"))
