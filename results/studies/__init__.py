"""The studies: programs that measure what is in ``results/reference``.

From the root of a checkout, ``python -m results.studies.ROOM.NAME`` runs one and ``--help``
explains its options; most take ``--out``. They are above the harness: they may import any part of
the project, and no part imports them. Each room lists its studies:

correctness  are the answers right?
formats      are files of the field's formats read and written as they mean?
speed        how fast are solvers, and is Concord as fast as it was?
puzzles      puzzles made, and read from damaged files
runs         does the harness keep limits?
evidence     does what was found outlast what happens to a run?
statistics   do the statistics keep what they claim?
mutation     do the tests notice wrong code? (``mutation.study``)

In no room are ``reference``, which makes the reference run of any experiment, ``report``, which
makes tables and pictures of these runs again (``page_words`` reads its page), ``runner``, which
studies share (options, rows that are kept from call to call, progress, files), ``markdown``, for
their pages and tables, and ``experiments``, for studies that are a run.
"""
