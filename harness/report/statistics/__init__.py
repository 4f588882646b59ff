"""Statistics of a run beyond its first screen: what papers and competitions report.

In reading order:

grid          the seconds and qualities of all backends on all instances, as arrays
scores        solved, PAR-k, shifted geometric mean
portfolio     virtual best and single best solver, marginal contribution, Shapley value
competitions  scores of the MiniZinc Challenge, the XCSP3 and the SAT competition
quantiles     times of which parts of the instances are solved, with censoring
significance   signed ranks, Holm's correction, effect size; Friedman's test, critical difference
equality      whether two backends differ: the sign-flip test, and the decision by it
pairs         every two backends: wins, ratios, tests
resampling    instances drawn anew within their families
ranks         mean ranks, and how stable a ranking is
scaling       how times grow with size, and where two backends cross
sizes         the sizes of instances
tables        one row a backend, with all its figures
libraries     scipy, or what to install

``harness.report.optima`` has gaps and primal integrals; ``docs/statistics.md`` all columns.
"""
