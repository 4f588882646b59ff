from itertools import combinations

from pysat.solvers import MapleCM, Maplesat

four = [[-1, -2], [1, 2], [-1, 2], [-2, 1]]
pigeons = [list(range(first, first + 7)) for first in range(1, 57, 7)]
pigeons += [[-a, -b] for h in range(1, 8) for a, b in combinations(range(h, 57, 7), 2)]
for engine, clauses in ((MapleCM, four), (Maplesat, pigeons)):
    with engine(bootstrap_with=clauses, with_proof=True) as solver:
        print(engine.__name__, solver.solve(), solver.get_proof()[:5])
