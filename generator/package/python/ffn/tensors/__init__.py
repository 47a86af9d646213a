"""Which tensors of a dict are the weights of a layer, by their names, shapes and order.

The judgement of ffngen's generator/tensors/, for packages that are installed without it: the same
table of names (names.json), the same readings of it, the same refusals; the files have the names of
those. tests/python/test_names.py holds the two against each other.
"""
