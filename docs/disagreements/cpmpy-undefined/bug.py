import cpmpy as cp

x, i = cp.intvar(0, 1, name="x"), cp.intvar(3, 4, name="i")
outside = cp.AllDifferentExceptN([cp.Element([x, x], i)], 5)
print(cp.__version__, cp.Model(outside, x >= 0, i >= 3).solveAll(solver="ortools"))
x._value, i._value = 0, 3
print(cp.expressions.utils.argval(outside))
