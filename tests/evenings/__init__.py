"""Whole evenings of a server in a simulated world: one seed, one thread, no clock but its own.

`loop.py` is time; `machine.py` what a server runs on; `network.py` what lies between it and people; `people.py` who
they are and what they do; `oracle.py` what must be true after each step; `evening.py` puts them together, and
`planted.py` has faults that only this finds. `tools/evenings.py` plays a night of them.
"""
