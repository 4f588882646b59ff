"""The studies: programs that measured what stands under ``results/reference``.

From the root of a checkout, ``python -m results.studies.ROOM.NAME`` runs one and ``--help``
explains its options; most take ``--out``. They are above the harness: they may import any part of
the project, and no part imports them. Each room lists its studies:

correctness  are the answers right?
formats      are files of the field's formats read and written as they mean?
speed        how fast are solvers, and how large encodings?
puzzles      puzzles made, graded, disguised, and read from damaged files
runs         does the harness keep limits, and does a run endure?
mutation     do the tests notice wrong code? (``mutation.study``)

In no room are ``reference``, which makes the reference run of any experiment, ``runner``, which
studies share (options, rows that are kept from call to call, progress, files), and
``experiments``, for studies that are a run.
"""
