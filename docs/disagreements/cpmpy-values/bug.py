import cpmpy as cp

b = cp.boolvar(name="b")
b._value = False
print(cp.__version__, cp.AllEqual([]).value(), cp.Model(cp.AllEqual([])).solve())
print(cp.CumulativeOptional([0], [-2], demand=[0], capacity=-1, is_present=[b]).value())
