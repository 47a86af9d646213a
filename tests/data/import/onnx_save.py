"""How the files of tests/data/import/onnx are written, by onnx_files.py and
onnx_quantised_files.py."""
import numpy as np
import onnx


def bare(graph):
    """Takes out what tells of the maker's machine."""
    del graph.metadata_props[:]
    del graph.value_info[:]
    for node in graph.node:
        del node.metadata_props[:]
        node.doc_string = ""
        for attribute in node.attribute:
            if attribute.type == onnx.AttributeProto.GRAPH:
                bare(attribute.g)
    for value in [*graph.input, *graph.output]:
        del value.metadata_props[:]


def rows(path, x, y):
    """What goes into a layer and comes out of it."""
    with open(path, "w", encoding="ascii") as file:
        for what, values in ("x", x), ("y", y):
            values = np.asarray(values).reshape(-1, np.asarray(values).shape[-1])
            file.write(f"{what} {values.shape[0]} {values.shape[1]}\n")
            for row in values:
                file.write(" ".join(f"{v:.9g}" for v in row) + "\n")


def as_it_is(out, name, model, most=20000):
    """A model that another program wrote."""
    onnx.save(model, out / f"{name}.onnx")
    size = (out / f"{name}.onnx").stat().st_size
    assert size < most, (name, size)


def save(out, name, model, x, y):
    """A model, and beside it what goes into its layer and comes out of it."""
    del model.metadata_props[:]
    bare(model.graph)
    model.doc_string = ""
    as_it_is(out, name, model)
    rows(out / f"{name}.txt", x, y)
