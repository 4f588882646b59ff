"""What a worker is kept from, each by a mechanism of the kernel, where it has it (Linux).

``hiding`` in the room above hides the store, and keeps other processes' memory and files apart.
Here are signals (``signals``), the network (``network``), shared memory (``shared_memory``) and
sight of other processes (``sight``). ``measures`` says which of them this kernel has, and enters
them; ``kernel`` calls it. ``afterwards`` finds what burns on after an answer. All but the last need
the standard library only, since the reaper uses them.
"""
