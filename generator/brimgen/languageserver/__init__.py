"""The language server: what editors show of specs while they are written.

`server.py` alone knows pygls and the protocol; all answers are made without them.
"""
