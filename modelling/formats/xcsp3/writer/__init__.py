"""Writing XCSP3: a Problem to pieces of text. Read the files in this order.

``wording``       terms and formulas as expressions
``profile``       what XCSP3-core says as it stands; the rest is rewritten
``naming``        variables as declarations
``elements``      an element for each constraint, and for the objective
``writing``       the whole
"""
