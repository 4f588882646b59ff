"""Reading XCSP3: bytes to a Problem. Read the files in this order.

``document``      XML as elements with places, within bounds
``variables``     declarations, arrays, compact forms
``intension``     expressions
``entities``      lists, numbers, tuples, conditions, arguments
``generic``, ``comparison``, ``counting``, ``connection``, ``packing``   the constraints
``posting``       which element is which constraint; groups, slides, logical ones
``objectives``, ``reading``   the whole
"""
