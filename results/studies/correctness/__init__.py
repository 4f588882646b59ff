"""Are the answers right? Every backend beside the oracle, each other, and what is known.

conformance        the conformance suite on many drawn problems, for every backend
cpmpy_constraints  whether drawn constraints of CPMpy's mean here what they mean there
cpmpy_suite        CPMpy's own tests, with backends as its solver
disagreements      the page of wrong answers, of a folder for each
drawn_problems     whether all backends say what the oracle says of very many drawn problems
found_again        which known wrong answers a hunt finds by itself, and how soon
known_answers      answers known from elsewhere, by every backend that can
laws               the laws of every class of the vocabulary, on many draws
pairs              every two backends in one process, in both orders
mutated_proofs     whether changed proofs of every kind are rejected, unless every line is valid
proofs             whether the check of proofs accepts what is right, and nothing else
certificates       which answers are certified by which solver, and what proofs cost beside solving
"""
