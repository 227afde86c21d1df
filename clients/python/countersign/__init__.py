"""A client of the Countersign agent API, with nothing but the standard library of Python 3.11 or newer."""
