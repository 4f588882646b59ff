"""The laws of the vocabulary, tried many times: ``study``."""
