"""The commands that show, write, format and import specs."""
