"""What all others expand to, and what rewriting knows by its class: read these first.

``connectives`` are constraints made of constraints; ``linear`` has sums and their comparisons;
``truth`` makes a number of a constraint; ``table`` lists what is allowed.
"""
