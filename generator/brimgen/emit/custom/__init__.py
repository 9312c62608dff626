"""Templates of projects: print them, and make targets of them.

`templates.py` finds and prints them, `check_templates.py` checks them, `environment.py` is the
environment that runs them. `custom_target.py` makes a target of file patterns, `own_templates.py`
makes the targets of brimgen print with them, and `project_targets.py` does both for a project.
"""
