"""Readers of files are hunted too: files are changed by their grammar, and read.

In reading order: ``grammar`` (what is changed), ``reading`` (what becomes of a file), ``others``
(who else reads it), ``seeds`` (the files that are changed), ``playing`` (the rounds of a format).
A lane of a format is called ``file:FORMAT``.
"""
