"""What compiled code and Python agree on: names of entries, and a table of addresses through which they use Python.

An entry of a kernel is called as a builtin function of Python is, with the addresses of its arguments. It reads arrays
where NumPy's objects keep them, and numbers through functions of Python, whose addresses are in the table `TABLE` of
its library: so that no library needs symbols of Python's, and one works in every version of it.
"""

import sys

TABLE = "hexdeck_python"
FUNCTIONS = (
    "PyLong_AsLongLong", "PyFloat_AsDouble", "PyErr_Occurred", "PyErr_SetString", "PyLong_FromLongLong",
    "PyFloat_FromDouble", "PyBool_FromLong", "Py_IncRef", "PyEval_SaveThread", "PyEval_RestoreThread",
)  # fmt: skip
OBJECTS = ("None", "tuple", "ndarray", "TypeError", "ZeroDivisionError")  # their addresses follow
FIRST_ITEM = "where the items of a tuple begin"
PLACES = {name: k for k, name in enumerate((*FUNCTIONS, *OBJECTS, FIRST_ITEM))}
HEAD = object.__basicsize__  # bytes before what an object has of its own; its type is the last of them
DATA, DIMENSIONS, SHAPE, STRIDES, KIND, FLAGS = (HEAD + k for k in (0, 8, 16, 24, 40, 48))  # of a NumPy array
NUMBER = HEAD + 12  # of a dtype: the number of its type
USABLE = 0x101  # flags of an array: contiguous in rows, aligned


def kernel_entry(name: str) -> str:
    """The symbol of a kernel's entry."""
    return f"kernel_{name}"


def game_function(name: str) -> str:
    """The symbol of a game's function, a C function of int64."""
    return f"game_{name}"


def layout() -> str:
    """What libraries depend on besides sources and processor."""
    return f"{sys.platform} {sys.byteorder} {sys.maxsize} {HEAD}"
