"""Files of other people's formats as families: a format a file (``modelling.formats``)."""
