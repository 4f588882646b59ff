"""Does the harness keep what it promises? Limits, faults, and the time a job takes.

dispatch     what it costs to get a job to a warm worker
gate         whether `concord diff` finds a slower release, and finds nothing where there is nothing
limits       whether every backend keeps a limit of one second
sandbox      what the sandbox costs, in CPU time of whole runs
supervision  whether limits hold and faults cost nothing
warm_ups     whether a warm-up changes what a solver does in the measured call

``sampling`` belongs to supervision.
"""
