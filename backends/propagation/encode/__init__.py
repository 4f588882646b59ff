"""From a structure in native constraints to the three arrays of the kernel."""
