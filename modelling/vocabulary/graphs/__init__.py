"""Lists of successors and of places: permutations and circuits. Nodes are counted from 0."""
