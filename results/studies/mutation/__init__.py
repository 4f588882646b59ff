"""Do the tests of each part notice when one line of its code is wrong?

study    changes a line at a time, runs the tests of the part, and counts what they notice
planted  changes a line of what translates constraints, and counts what a hunt finds

``parts`` says which tests answer for which sources, ``mutator`` makes the changes, and ``nursery``
runs pytest.
"""
