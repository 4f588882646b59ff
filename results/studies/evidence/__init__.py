"""Studies of what evidence is worth: whether it outlasts what happens to a run."""
