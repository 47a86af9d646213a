"""The version of ffngen that this package belongs to."""
__version__ = "0.1.0"
