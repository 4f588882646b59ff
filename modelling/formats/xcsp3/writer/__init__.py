"""Writing XCSP3: a Problem to pieces of text. Read the files in this order.

``wording``       terms and formulas as expressions
``profile``       what XCSP3-core expresses as it is; the rest is rewritten
``naming``        variables as declarations
``elements``      an element for each constraint, and for the objective
``writing``       the whole
"""
