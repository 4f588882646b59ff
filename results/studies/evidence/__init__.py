"""What is evidence worth? Whether it outlasts what happens to a run.

endurance    kills, power cuts, full disks, clocks, two resumes at once, stores of each schema
"""
