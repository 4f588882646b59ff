"""The Backend interface, one wrapper per solver, and the hand-written solvers."""
