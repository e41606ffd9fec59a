"""The learners of the benchmark, each a module of its own; one in a file of yours is written alike.

A module has `learn(task)`, which yields after each bit of learning how much work is done and the policy so far (see
`benchmark.task`); a policy that is a function is called before the next bit, if at all. What is optional: `TITLE`,
`PAPER` it is from, `WORK` (what is counted), `SETTINGS` (a dict of numbers), `VERSION` (an int, raised with each change
that changes results), `DRAWS` (False where no seed changes anything: it runs once).

On whole games, where no policy can be measured exactly, a module has `bot(task, folder)` instead, which gives the name
of a bot; it may keep a net in the folder.
"""
