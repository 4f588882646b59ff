"""What an answer must show, and whose agreement proves something.

Results come in; what they fall short of goes out, in words, and the families that share code and
are one witness together. In reading order: ``answer`` (one result), ``batch`` (arrays of them, for
many instances at once), ``families`` (which backends can be wrong together). What becomes of all
answers to a question is judged in ``harness.judge``.
"""
