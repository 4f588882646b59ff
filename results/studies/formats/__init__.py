"""Studies of the formats in which the field states problems, on files that are not Concord's own.

instances           files with known answers: what reads, which backends solve it, and is it so?
flatzinc_solutions  files that come with all of their solutions: are these found, and no others?
mutated             damaged files: an error with its place, never a traceback, hang or flood
outside_readers     what programs of others find in files that we write: what the oracle finds?
round_trips         what is written and read again: is it the same problem?

``index`` reads the list of such files, which the command line names; the files are not in the tree.
``samples`` has whole files of each format, of our own.
``outsiders`` calls the programs of others, and ``known_differences`` lists where they are wrong.
"""
