"""Square grids in which a value occurs once per row and column: what Sudoku and Latin share."""
