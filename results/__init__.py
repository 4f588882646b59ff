"""What was measured, and the programs that measured it; no part of the installed package."""
