"""Kinds of findings that are about the same."""

# Two alternatives of a reading.
READINGS = ("F0401", "F0402", "F0403", "F0404", "F0406")

__all__ = ["READINGS"]
