from pychoco.model import Model

model = Model("", lcg=True)
x = model.intvar(0, 1)
model.table([x], [[-2], [1], [-1], [0]]).post()
model.get_solver().solve()
