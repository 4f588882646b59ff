"""Square grids in which a value stands once per row and column: what Sudoku and Latin share."""
