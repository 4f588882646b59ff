"""Learning against CP-SAT with one worker and Pumpkin: one table of penalised times by family.

    python -m results.studies.speed.learning [--only FAMILY] [--seconds 60] [--out FOLDER]

Each call runs in a process of its own, whose CPU time is measured and limited, so that it does not
matter what else the machine does. What a backend loads or compiles once is there before. *PAR-2* is
the mean time of a family's problems, where one that is not solved counts twice the limit.
"""
