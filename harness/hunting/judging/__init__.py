"""Who judges an answer to a question, and what is wrong with it.

In reading order: ``asked`` (a question about a problem), ``truth`` (what is known of the problem
without asking the solver), ``faults`` (an answer beside the truth), ``answers`` (all checks of an
answer, of which one wrong thing is made), ``relations`` (answers that contradict each other).
"""
