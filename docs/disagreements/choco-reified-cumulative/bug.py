from pychoco import Model

model = Model()
start, demand, b = model.intvar(0, 2), model.intvar(0, 1), model.boolvar()
task = model.task(start, 1, model.int_affine_view(1, start, 1))
model.cumulative([task], [demand], model.intvar(1)).reify_with(b)
solver, found = model.get_solver(), []
while solver.solve():
    found.append((start.get_value(), demand.get_value(), b.get_value()))
print(len(found), found)
