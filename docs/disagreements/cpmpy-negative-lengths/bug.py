import cpmpy as cp

length, b = cp.intvar(-2, 0, name="length"), cp.boolvar(name="b")
negated = ~cp.NoOverlapOptional([0], [length], is_present=[b])
print(cp.__version__, cp.Model(negated, length >= -2).solveAll(solver="ortools"))
length._value, b._value = -1, True
print(negated.value())
