"""The rules, one module for each stage; they hold the text of all messages."""
