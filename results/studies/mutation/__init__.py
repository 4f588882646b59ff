"""Whether the tests of each part notice when one line of its code is wrong.

Read ``study``, then ``parts`` (which tests answer for which sources) and ``mutator``; ``nursery``
runs pytest for it.
"""
