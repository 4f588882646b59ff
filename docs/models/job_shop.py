"""Job shop: each job visits all machines in its own order; when are all jobs done at the earliest?

The instance is FT06 of H. Fisher and G. L. Thompson (1963), six jobs on six machines; its optimum
is 55. A job is a list of (machine, minutes).
"""

import concord

JOBS = [
    [(2, 1), (0, 3), (1, 6), (3, 7), (5, 3), (4, 6)],
    [(1, 8), (2, 5), (4, 10), (5, 10), (0, 10), (3, 4)],
    [(2, 5), (3, 4), (5, 8), (0, 9), (1, 1), (4, 7)],
    [(1, 5), (0, 5), (2, 5), (3, 3), (4, 8), (5, 9)],
    [(2, 9), (1, 3), (4, 5), (5, 4), (0, 3), (3, 1)],
    [(1, 3), (3, 3), (5, 9), (0, 10), (4, 4), (2, 1)],
]
HORIZON = 80

m = concord.Model()
start = m.ints((len(JOBS), len(JOBS[0])), 0, HORIZON, "start")
end = m.int(0, HORIZON, "end")
tasks = {machine: [] for machine, _ in JOBS[0]}
for j, job in enumerate(JOBS):
    for k, (machine, minutes) in enumerate(job):
        tasks[machine].append((start[j, k], minutes))
        m.add(start[j, k] + minutes <= (start[j, k + 1] if k + 1 < len(job) else end))
m.add(concord.no_overlap(*zip(*shared, strict=True)) for shared in tasks.values())
m.minimize(end)

if __name__ == "__main__":
    best = m.optimum(backend="cpsat")
    print(best)
    assert best.objective == 55
