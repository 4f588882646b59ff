"""One propagator a file: the constraint, its consistency and cost, the algorithm's source."""
