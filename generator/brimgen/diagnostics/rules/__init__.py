"""The rows of the catalogue, one module a stage; nothing is worded anywhere else."""
