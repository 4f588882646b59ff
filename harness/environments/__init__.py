"""Environments: a release of a solver each, beside the ones that are installed here.

In: a backend's name with a release, as ``cpsat@9.12``. Out: the Python interpreter by which a
worker for it is started, and where that finds modules. Read ``recipe`` (what belongs into an
environment, and its name), ``installing`` (uv or pip), ``making`` (once, whole or not at all), and
``interpreter`` (what a worker is started with); ``releases`` lists what there is to install.
"""
