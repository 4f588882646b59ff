"""Does the harness keep what it promises? Limits, faults, kills, and the time a job takes.

dispatch     what it costs to get a job to a warm worker
endurance    whether runs endure kills, a million jobs, interruptions and lost Dask workers
limits       whether every backend keeps a limit of one second
supervision  whether limits hold and faults cost nothing

``sampling`` belongs to supervision.
"""
