"""How Python calls a compiled kernel: a builtin function that reads its arguments, checks their types and gives way.

It gives up Python's lock while the kernel runs. Arguments of other types raise TypeError, and nothing is done.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.np.arrayobj import populate_array
from numba.np.numpy_support import as_dtype

from hexdeck.engine.backends import python_abi as abi

BYTE, INT, WORD, REAL = ir.IntType(8), ir.IntType(32), ir.IntType(64), ir.DoubleType()
POINTER = BYTE.as_pointer()
NULL = ir.Constant(WORD, 0)


class Entry:
    """Writes the entry of one kernel into a module. Objects of Python are addresses here, int64."""

    def __init__(self, context: Any, module: ir.Module, name: str, about: Any) -> None:
        self.context, self.about, self.name = context, about, name.removeprefix("kernel_")
        self.function = ir.Function(module, ir.FunctionType(WORD, [WORD] * 3), name)
        self.b = ir.IRBuilder(self.function.append_basic_block())
        self.callee = context.declare_function(module, about)
        self.table = ir.GlobalVariable(module, ir.ArrayType(WORD, len(abi.PLACES)), abi.TABLE)

    def build(self) -> None:
        """The whole function, of `self`, the address of the arguments and their number."""
        _, items, count = self.function.args
        wanted = self.about.argtypes
        self.refuse_unless(self.is_number(count, len(wanted)), f"{self.name} takes {len(wanted)} arguments")
        given = [self.unbox(kind, self.read(items, 8 * k), k + 1) for k, kind in enumerate(wanted)]
        paused = self.call("PyEval_SaveThread", WORD)
        status, out = self.context.call_conv.call_function(
            self.b, self.callee, self.about.restype, self.about.argtypes, given
        )
        self.call("PyEval_RestoreThread", ir.VoidType(), paused)
        self.refuse_unless(self.b.not_(status.is_error), f"{self.name}: division by zero", "ZeroDivisionError")
        self.b.ret(self.boxed(out))

    # --- arguments ---
    def unbox(self, kind: Any, given: Any, position: int) -> Any:
        """The value of an argument, or of a part of one."""
        if isinstance(kind, types.Array):
            return self.array(kind, given, position)
        if isinstance(kind, types.BaseTuple):
            return self.parts(kind, given, position)
        function, made = ("PyFloat_AsDouble", REAL) if kind == types.float64 else ("PyLong_AsLongLong", WORD)
        value = self.call(function, made, given)
        failed = self.b.fcmp_ordered("==", value, made(-1)) if made == REAL else self.is_number(value, -1)
        with self.b.if_then(failed, likely=False), self.b.if_then(self.is_set(self.call("PyErr_Occurred", WORD))):
            self.b.ret(NULL)
        return value

    def array(self, kind: Any, given: Any, position: int) -> Any:
        """An array, seen where it lies."""
        dtype = as_dtype(kind.dtype)
        why = f"argument {position} of {self.name} is an array of {dtype} in {kind.ndim} dimensions"
        self.refuse_unless(self.is_a(given, "ndarray"), why)
        self.refuse_unless(self.is_number(self.read(given, abi.DIMENSIONS, INT), kind.ndim), why)
        number = self.read(self.read(given, abi.KIND), abi.NUMBER, INT)
        alike = [self.is_number(number, each) for each in numbers(dtype)]
        self.refuse_unless(alike[0] if len(alike) == 1 else self.b.or_(*alike), why)
        flags = self.b.and_(self.read(given, abi.FLAGS, INT), INT(abi.USABLE))
        self.refuse_unless(self.is_number(flags, abi.USABLE), f"{why}, row after row")
        made = self.context.make_array(kind)(self.context, self.b)
        sizes, steps = self.read(given, abi.SHAPE), self.read(given, abi.STRIDES)
        data = self.b.inttoptr(self.read(given, abi.DATA), self.context.get_data_type(kind.dtype).as_pointer())
        populate_array(
            made, data=data, shape=[self.read(sizes, 8 * k) for k in range(kind.ndim)],
            strides=[self.read(steps, 8 * k) for k in range(kind.ndim)], itemsize=WORD(dtype.itemsize), meminfo=None,
        )  # fmt: skip
        return made._getvalue()  # noqa: SLF001 - the only way that Numba offers

    def parts(self, kind: Any, given: Any, position: int) -> Any:
        """A tuple of what a kernel takes."""
        why = f"argument {position} of {self.name} is a tuple of {len(kind)}"
        self.refuse_unless(self.is_a(given, "tuple"), why)
        self.refuse_unless(self.is_number(self.read(given, abi.HEAD), len(kind)), why)
        first = self.b.add(given, self.known(abi.FIRST_ITEM))
        values = [self.unbox(each, self.read(first, 8 * k), position) for k, each in enumerate(kind)]
        return self.context.make_tuple(self.b, kind, values)

    # --- the result ---
    def boxed(self, out: Any) -> Any:
        """The kernel's result as a new object of Python."""
        kind = self.about.restype
        if kind == types.none:
            self.call("Py_IncRef", ir.VoidType(), self.known("None"))
            return self.known("None")
        if kind == types.float64:
            return self.call("PyFloat_FromDouble", WORD, out)
        assert isinstance(kind, (types.Integer, types.Boolean)), f"{self.name} returns {kind}"
        word = self.context.cast(self.b, out, kind, types.int64)
        return self.call("PyBool_FromLong" if kind == types.boolean else "PyLong_FromLongLong", WORD, word)

    # --- pieces ---
    def read(self, place: Any, offset: int = 0, kind: Any = WORD) -> Any:
        """What lies at an address."""
        return self.b.load(self.b.inttoptr(self.b.add(place, WORD(offset)), kind.as_pointer()))

    def known(self, name: str) -> Any:
        """An entry of the table."""
        return self.b.load(self.b.gep(self.table, [INT(0), INT(abi.PLACES[name])]))

    def call(self, name: str, returns: Any, *given: Any) -> Any:
        """Call a function of Python's."""
        kind = ir.FunctionType(returns, [each.type for each in given])
        return self.b.call(self.b.inttoptr(self.known(name), kind.as_pointer()), given)

    def is_number(self, value: Any, number: int) -> Any:
        """Whether an integer is this one."""
        return self.b.icmp_signed("==", value, value.type(number))

    def is_set(self, value: Any) -> Any:
        """Whether an address is one."""
        return self.b.icmp_signed("!=", value, NULL)

    def is_a(self, given: Any, kind: str) -> Any:
        """Whether an object is of exactly this type."""
        return self.b.icmp_signed("==", self.read(given, abi.HEAD - 8), self.known(kind))

    def refuse_unless(self, holds: Any, why: str, error: str = "TypeError") -> None:
        """Raise an error in Python unless something holds."""
        with self.b.if_then(self.b.not_(holds), likely=False):
            text = self.context.insert_const_string(self.b.module, why)
            self.call("PyErr_SetString", ir.VoidType(), self.known(error), self.b.ptrtoint(text, WORD))
            self.b.ret(NULL)


def numbers(dtype: np.dtype) -> list[int]:
    """The numbers by which NumPy knows a type; some have two names in C."""
    alike = {np.dtype(code).num for code in "bBhHiIlLqQfd?" if np.dtype(code) == dtype}
    return sorted(alike)
