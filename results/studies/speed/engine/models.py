"""Models of the study's own: problems of the literature for constraints that few families have."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import product

import concord
from concord import Problem, core
from puzzles.latin.holes import draw_cells
from puzzles.random_stream import Stream


def queens_of_three() -> Problem:
    """Ten queens by three AllDifferent."""
    model = concord.Model()
    q = model.ints(10, 0, 9, "q")
    model.add(concord.all_different(q))
    model.add(concord.all_different([q[i] + i for i in range(10)]))
    model.add(concord.all_different([q[i] - i for i in range(10)]))
    return model.problem()


def colouring(vertices: int, density: float, colours: int, seed: int) -> Problem:
    """A random graph."""
    draw = random.Random(seed)
    edges = [(i, j) for i in range(vertices) for j in range(i) if draw.random() < density]
    domains = {f"v{i}": range(colours) for i in range(vertices)}
    return concord.problem(domains, [core.NotEqual(edge) for edge in edges])


def queen_graph(order: int, colours: int) -> Problem:
    """The squares of a board as vertices, joined where a queen moves."""
    squares = [divmod(k, order) for k in range(order * order)]
    edges = [
        (a, b)
        for a, (r, c) in enumerate(squares)
        for b, (s, d) in enumerate(squares[:a])
        if r == s or c == d or abs(r - s) == abs(c - d)
    ]
    domains = {f"v{i}": range(colours) for i in range(order * order)}
    return concord.problem(domains, [core.NotEqual(edge) for edge in edges])


def holes(order: int, number: int, seed: int) -> Problem:
    """A Latin square with holes: quasigroup completion."""
    lines = [[order * r + c for c in range(order)] for r in range(order)]
    lines += [[order * r + c for r in range(order)] for c in range(order)]
    cells = draw_cells(Stream(seed), order, number, "holes")
    domains = {f"c{i}": [v] if v else range(1, order + 1) for i, v in enumerate(cells)}
    return concord.problem(domains, [core.AllDifferent(tuple(line)) for line in lines])


def low_autocorrelation(n: int) -> Problem:
    """CSPLib 5: 1 and -1 in a row so that the products of those at one distance add up to little.

    A product of signs is stated as 1 - 2 * |x - y| of bits; the squares of the sums are listed.
    """
    model = concord.Model()
    x = model.bools(n, "x")
    energies = []
    for k in range(1, n):
        total = model.int(-(n - k), n - k, f"c{k}")
        terms = [1 - 2 * concord.distance(x[i], x[i + k]) for i in range(n - k)]
        model.add(total == concord.sum_(terms))
        energy = model.int(0, (n - k) ** 2, f"e{k}")
        model.add(energy == total * total)
        energies.append(energy)
    model.minimize(concord.sum_(energies))
    return model.problem()


def domination(order: int) -> Problem:
    """The fewest squares of which a queen reaches every other: each names the one that reaches it.

    NValue counts the squares that are named.
    """
    model = concord.Model()
    squares = list(product(range(order), repeat=2))
    by = [
        model.int(
            [k for k, (s, d) in enumerate(squares) if r == s or c == d or abs(r - s) == abs(c - d)],
            name=f"q{r}_{c}",
        )
        for r, c in squares
    ]
    model.minimize(concord.nvalue(by))
    return model.problem()


def assignment(n: int, seed: int) -> Problem:
    """Quadratic assignment: plants to sites, a flow between two costs the distance (Element2D)."""
    draw = random.Random(seed)
    distances = [[0] * n for _ in range(n)]
    flows = [[0] * n for _ in range(n)]
    for i in range(n):
        for j in range(i):
            distances[i][j] = distances[j][i] = draw.randint(1, 9)
            flows[i][j] = draw.choice((0, 1, 2, 5))
    model = concord.Model()
    site = model.ints(n, 0, n - 1, "site")
    model.add(concord.all_different(site))
    model.minimize(
        concord.sum_(
            [
                flows[i][j] * concord.element_2d(distances, site[i], site[j])
                for i in range(n)
                for j in range(i)
                if flows[i][j]
            ]
        )
    )
    return model.problem()


def squares(sides: Sequence[int], width: int, height: int) -> Problem:
    """Squares of the sides 1, 2, ... in a box (NoOverlap2D)."""
    model = concord.Model()
    xs = [model.int(0, width - side, f"x{side}") for side in sides]
    ys = [model.int(0, height - side, f"y{side}") for side in sides]
    model.add(concord.no_overlap_2d(xs, ys, sides, sides))
    return model.problem()


def prizes(n: int, least: int, seed: int) -> Problem:
    """The shortest tour through some of n cities whose prizes add up to ``least`` (SubCircuit)."""
    draw = random.Random(seed)
    places = [(draw.randint(0, 100), draw.randint(0, 100)) for _ in range(n)]
    worth = [draw.randint(1, 9) for _ in range(n)]
    model = concord.Model()
    after = model.ints(n, 0, n - 1, "next")
    model.add(concord.subcircuit(after))
    lengths = []
    for i, (x, y) in enumerate(places):
        row = [abs(x - u) + abs(y - v) for u, v in places]
        lengths.append(concord.element(row, after[i]))
    model.add(concord.sum_([w * (after[i] != i) for i, w in enumerate(worth)]) >= least)
    model.minimize(concord.sum_(lengths))
    return model.problem()


def crossword(rows: int, columns: int, words: int, seed: int) -> Problem:
    """A grid of letters whose rows and columns are drawn words (Table)."""
    draw = random.Random(seed)

    def dictionary(length: int) -> tuple[tuple[int, ...], ...]:
        found = {
            tuple(draw.choice((0, 0, 1, 2, 3, 4, 5, 6)) for _ in range(length))
            for _ in range(words)
        }
        return tuple(sorted(found))

    across, down = dictionary(columns), dictionary(rows)
    domains = {f"c{k}": range(7) for k in range(rows * columns)}
    tables = [core.Table(tuple(range(columns * r, columns * (r + 1))), across) for r in range(rows)]
    tables += [core.Table(tuple(range(c, rows * columns, columns)), down) for c in range(columns)]
    return concord.problem(domains, tables)


def warehouses(stores: int, sites: int, seed: int) -> Problem:
    """CSPLib 34: which warehouses to open, and which store each supplies (Element, Count)."""
    draw = random.Random(seed)
    costs = [[draw.randint(10, 60) for _ in range(sites)] for _ in range(stores)]
    model = concord.Model()
    supplier = model.ints(stores, 0, sites - 1, "supplier")
    is_open = model.bools(sites, "open")
    for site in range(sites):
        model.add(concord.count(supplier, [site]) <= 2 + stores // sites)
    for store in range(stores):
        model.add(concord.element(is_open, supplier[store]) == 1)
    spent = [concord.element(costs[store], supplier[store]) for store in range(stores)]
    model.minimize(concord.sum_(spent) + 30 * concord.sum_(is_open))
    return model.problem()


def centres(points: int, chosen: int, seed: int) -> Problem:
    """The k centres that are least far from the farthest of some points (Minimum, Maximum)."""
    draw = random.Random(seed)
    places = [(draw.randint(0, 50), draw.randint(0, 50)) for _ in range(points)]
    far = [[abs(x - u) + abs(y - v) for u, v in places] for x, y in places]
    model = concord.Model()
    centre = model.ints(chosen, 0, points - 1, "centre")
    model.add(concord.increasing(centre, strict=True))
    nearest = [
        concord.minimum([concord.element(row, centre[k]) for k in range(chosen)]) for row in far
    ]
    model.minimize(concord.maximum(nearest))
    return model.problem()


def marriages(n: int, seed: int) -> Problem:
    """Stable marriages: no two prefer each other to those whom they have (Inverse, Element)."""
    draw = random.Random(seed)
    men, women = ([draw.sample(range(n), n) for _ in range(n)] for _ in range(2))
    model = concord.Model()
    wife, husband = model.ints(n, 0, n - 1, "wife"), model.ints(n, 0, n - 1, "husband")
    model.add(concord.inverse(wife, husband))
    of_man = [concord.element(men[i], wife[i]) for i in range(n)]
    of_woman = [concord.element(women[j], husband[j]) for j in range(n)]
    for i, j in product(range(n), repeat=2):
        model.add((of_man[i] <= men[i][j]) | (of_woman[j] < women[j][i]))
    return model.problem()


def steel_mill(orders: int, slabs: int, seed: int) -> Problem:
    """CSPLib 38: orders of a size and a colour on slabs of few capacities, with least waste."""
    draw = random.Random(seed)
    sizes = [draw.randint(1, 9) for _ in range(orders)]
    colours = [draw.randint(0, 3) for _ in range(orders)]
    waste = [min(c - load for c in (0, 7, 11, 16) if c >= load) for load in range(17)]
    model = concord.Model()
    on = model.ints(orders, 0, slabs - 1, "on")
    load = model.ints(slabs, 0, 16, "load")
    model.add(concord.bin_packing(on, sizes, "==", load))
    for slab in range(slabs):
        has = [
            concord.any_([on[k] == slab for k in range(orders) if colours[k] == colour])
            for colour in sorted(set(colours))
        ]
        model.add(concord.sum_(has) <= 2)
    model.minimize(concord.sum_([concord.element(waste, load[slab]) for slab in range(slabs)]))
    return model.problem()


def tournament(teams: int) -> Problem:
    """A round robin in which nobody plays home or away three times running (Inverse, Regular)."""
    model = concord.Model()
    rounds = teams - 1
    against = [model.ints(teams, 0, teams - 1, f"r{r}_") for r in range(rounds)]
    home = [model.bools(teams, f"h{r}_") for r in range(rounds)]
    for r in range(rounds):
        model.add(concord.inverse(against[r], against[r]))
        for t in range(teams):
            model.add(against[r][t] != t)
            model.add(concord.element(home[r], against[r][t]) != home[r][t])
    for t in range(teams):
        model.add(concord.all_different([against[r][t] for r in range(rounds)]))
        for r in range(rounds - 2):
            model.add(concord.sum_([home[k][t] for k in range(r, r + 3)]).between(1, 2))
    for t in range(teams):
        model.add(against[0][t] == t + 1 - 2 * (t % 2))
    return model.problem()
