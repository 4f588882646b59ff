from pychoco.model import Model

model = Model("", min_card_size_for_sum_decomp=2)
terms = [model.intvar(0, 2) for _ in range(3)]
model.scalar(terms, [1, 1, 1], "=", 3).post()
solver, number = model.get_solver(), 0
while solver.solve():
    number += 1
print(number)
