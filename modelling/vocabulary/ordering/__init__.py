"""Which values come before which: chains, lexicographic order, precedence."""
