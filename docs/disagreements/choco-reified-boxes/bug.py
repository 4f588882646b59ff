from pychoco import Model

model = Model()
x, y, b = model.intvars(2, 0, 0), [model.intvar(1, 3), model.intvar(0)], model.boolvar(name="b")
ones = [model.intvar(1), model.intvar(1)]
model.diff_n(x, y, ones, ones).reify_with(b)
solver, found = model.get_solver(), []
while len(found) < 100 and solver.solve():
    found.append((y[0].get_value(), b.get_value()))
print(len(found), set(found))
