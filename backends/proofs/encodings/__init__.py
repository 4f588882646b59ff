"""Whether the clauses of a refutation say no more than the constraints: the check of an encoding.

A proof shows that clauses have no model. That no solution is lost between the constraints and the
clauses is checked here, on the very clauses that the proof is of and by the constraints' own
``holds``: every solution of the problem, but for those that are excluded, has to extend to a model.
Nothing of the encoder and of rewriting is used but two tables: which literals a value is, and what
the variables that rewriting has added are equal to.

Words
-----
pins        the literals that a value of a variable makes true
owner       a variable whose pins have a literal
group       a clause of pins alone; or all clauses that are connected by literals without owner.
            Groups share no literal without owner, so that a solution extends to all of them if it
            extends to each
box         for some variables the values that are looked at
witness     an assignment of a group's variables that keeps all constraints over them, and that its
            clauses exclude: none may exist

``inquiry`` is one check while it lasts. ``meaning`` enumerates assignments by definition,
``groups`` takes a formula apart, ``boxes``, ``linked`` and ``inequalities`` check groups,
``extending`` looks for values of the literals without owner, ``layers`` goes variable by variable
beside ``partial_sums`` of ``comparisons``, ``rewriting`` and ``tours`` check what rewriting has
made, ``second`` asks another engine what is too large, and ``check`` puts them together.
"""
