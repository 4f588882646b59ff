"""Random constraints (``drawing``), and the laws that each class must keep (``checking``)."""
