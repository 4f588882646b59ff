"""What is evidence worth? Whether it outlasts what happens to a run, and whether it can be read.

endurance    kills, power cuts, full disks, clocks, two resumes at once, stores of each schema
shrunk       how small the findings of a hunt become, and how soon
"""
