"""Scripts that write a file, run a program on it, and read what it prints."""
