from pychoco import Model
from pychoco.objects.automaton.finite_automaton import FiniteAutomaton

automaton = FiniteAutomaton()
states = [automaton.add_state() for _ in range(3)]
automaton.set_initial_state(states[0])
automaton.set_final(states[2])
for a, value, b in ((0, 0, 1), (1, 0, 2), (2, 1, 2), (1, 2, 1), (2, 0, 0)):
    automaton.add_transition(states[a], states[b], value)
model = Model()
terms = [model.intvar(values) for values in ([0, 1, 3, 4, 5], [0, 1, 2], [0, 1])]
model.regular(terms, automaton).reify_with(model.boolvar())
solver, number = model.get_solver(), 0
while solver.solve():
    number += 1
print(number)
