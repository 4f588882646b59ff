"""How often values occur, how many there are, and what they weigh together."""
