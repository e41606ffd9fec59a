"""Machine code ahead of time: the functions of a game, or the kernels of a module, as object files.

For a process of its own (`build`): what is compiled here can't be called here. Python calls a kernel through a builtin
function, written as LLVM code, that checks the types of its arguments, reads them where they lie, gives up Python's
lock while the kernel runs, and makes an object of the result. For arguments of other types it raises TypeError, and the
kernel isn't called.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from types import FunctionType, ModuleType
from typing import Any, cast

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.core.compiler_lock import global_compiler_lock
from numba.core.sigutils import normalize_signature
from numba.np.arrayobj import populate_array
from numba.np.numpy_support import as_dtype

from hexdeck.engine import contract
from hexdeck.engine.backends import compiler
from hexdeck.engine.backends import python_abi as abi
from hexdeck.engine.backends.compiler import as_rules_mean, object_codegen
from hexdeck.engine.backends.python_abi import POSITIONS, TABLE, game_function, kernel_entry
from hexdeck.engine.backends.signatures import entries, signature
from hexdeck.engine.backends.wrappers import rebound, wrappers

WITHOUT_WRAPPERS = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}  # Numba's: a library has its own
WORD = ir.IntType(64)
Wrap = Callable[[Any, ir.Module, str, Any], None]  # writes a wrapper: context, module, symbol, compiled function


def objects(owners: tuple[str, ...], cpu: str) -> list[bytes]:
    """The object files of a game, by its rules and strategy, or of a module of kernels, for a kind of processor."""
    modules = [import_module(name) for name in owners]
    with object_codegen(cpu) as context, as_rules_mean():
        backend = compiler.Backend("fast")
        backend.flags = backend.flags | WITHOUT_WRAPPERS
        functions = game_functions(backend, *modules) if len(modules) > 1 else kernels(backend, modules[0])
        return [object_file(context, *function) for function in functions] + [table_object(context)]


def game_functions(backend: Any, rules: ModuleType, strategy: ModuleType) -> Iterator[tuple[str, Wrap, Any]]:
    """The functions of a game: each one's symbol, how it is wrapped, and what Numba made of it."""
    for name, function in wrappers(backend, rules, strategy).items():
        arity = contract.TABLE[name][1] + 1
        yield game_function(name), wrap_for_c, compiled(function, (types.int64,) * arity, backend.flags)


def kernels(backend: Any, module: ModuleType) -> Iterator[tuple[str, Wrap, Any]]:
    """The kernels of a module that Python calls, likewise."""
    for name in entries(module):
        function: FunctionType = getattr(module, name)
        argument_types, _ = normalize_signature(f"({signature(function)},)")
        in_backend = rebound(function, backend.space(module.__name__))
        yield kernel_entry(name), wrap_for_python, compiled(in_backend, argument_types, backend.flags)


def compiled(function: FunctionType, argument_types: tuple[Any, ...], flags: dict[str, Any]) -> Any:
    """What Numba makes of a function for arguments of these types."""
    dispatcher = njit(function, **flags)
    dispatcher.compile(argument_types)
    return dispatcher.overloads[argument_types]


def wrap_for_c(context: Any, module: ir.Module, symbol: str, result: Any) -> None:
    """Write a C function around a compiled function of int64; it returns 0 where that fails."""
    callee = result.fndesc
    function = ir.Function(module, ir.FunctionType(WORD, [WORD] * len(callee.argtypes)), symbol)
    builder = ir.IRBuilder(function.append_basic_block())
    declared = context.declare_function(module, callee)
    status, value = context.call_conv.call_function(builder, declared, callee.restype, callee.argtypes, function.args)
    word = context.cast(builder, value, callee.restype, types.int64)
    builder.ret(builder.select(status.is_error, ir.Constant(WORD, 0), word))


def wrap_for_python(context: Any, module: ir.Module, symbol: str, result: Any) -> None:
    """Write a builtin function of Python around a compiled kernel."""
    PythonWrapper(context, module, symbol, result.fndesc).build()


@global_compiler_lock  # type: ignore[untyped-decorator]
def object_file(context: Any, symbol: str, wrap: Wrap, result: Any) -> bytes:
    """The object file of a compiled function and its wrapper; nothing but the wrapper is seen from outside."""
    library = context.codegen().create_library(symbol)
    library.add_linking_library(result.library)
    module = context.create_module(symbol)
    wrap(context, module, symbol, result)
    library.add_ir_module(module)
    library.finalize()
    linked = library._final_module  # noqa: SLF001 - what Numba makes the object file of
    for part in (*linked.functions, *linked.global_variables):
        if not part.is_declaration and part.name != symbol:
            part.linkage = "internal"
    return cast(bytes, library.emit_native_object())


@global_compiler_lock  # type: ignore[untyped-decorator]
def table_object(context: Any) -> bytes:
    """The object file of the table through which wrappers use Python; it is filled in when the library is loaded."""
    library = context.codegen().create_library(TABLE)
    module = context.create_module(TABLE)
    table = ir.GlobalVariable(module, ir.ArrayType(WORD, len(POSITIONS)), TABLE)
    table.initializer = ir.Constant(table.value_type, None)
    library.add_ir_module(module)
    library.finalize()
    return cast(bytes, library.emit_native_object())


BYTE, INT, WORD, REAL = ir.IntType(8), ir.IntType(32), ir.IntType(64), ir.DoubleType()
NULL = ir.Constant(WORD, 0)


class PythonWrapper:
    """Writes the wrapper of one kernel into a module. In its code an object of Python is its address, an int64."""

    def __init__(self, context: Any, module: ir.Module, symbol: str, kernel: Any) -> None:
        self.context, self.kernel, self.name = context, kernel, symbol.removeprefix("kernel_")
        self.function = ir.Function(module, ir.FunctionType(WORD, [WORD] * 3), symbol)
        self.b = ir.IRBuilder(self.function.append_basic_block())
        self.callee = context.declare_function(module, kernel)
        self.table = ir.GlobalVariable(module, ir.ArrayType(WORD, len(abi.POSITIONS)), abi.TABLE)

    def build(self) -> None:
        """Write the whole function; it takes `self`, the address of the arguments and their number (METH_FASTCALL)."""
        _, arguments, count = self.function.args
        kinds = self.kernel.argtypes
        self.refuse_unless(self.equals(count, len(kinds)), f"{self.name} takes {len(kinds)} arguments")
        values = [self.unbox(kind, self.load(arguments, 8 * k), k + 1) for k, kind in enumerate(kinds)]
        thread = self.call("PyEval_SaveThread", WORD)
        status, result = self.context.call_conv.call_function(self.b, self.callee, self.kernel.restype, kinds, values)
        self.call("PyEval_RestoreThread", ir.VoidType(), thread)
        self.refuse_unless(self.b.not_(status.is_error), f"{self.name}: division by zero", "ZeroDivisionError")
        self.b.ret(self.box(result))

    # --- arguments ---
    def unbox(self, kind: Any, item: Any, position: int) -> Any:
        """The value of an argument, or of an item of a tuple."""
        if isinstance(kind, types.Array):
            return self.unbox_array(kind, item, position)
        if isinstance(kind, types.BaseTuple):
            return self.unbox_tuple(kind, item, position)
        function, machine_type = ("PyFloat_AsDouble", REAL) if kind == types.float64 else ("PyLong_AsLongLong", WORD)
        value = self.call(function, machine_type, item)
        may_be_error = self.b.fcmp_ordered("==", value, REAL(-1)) if machine_type == REAL else self.equals(value, -1)
        with self.b.if_then(may_be_error, likely=False):
            error = self.call("PyErr_Occurred", WORD)
            with self.b.if_then(self.b.icmp_signed("!=", error, NULL)):
                self.b.ret(NULL)
        return value

    def unbox_array(self, kind: Any, item: Any, position: int) -> Any:
        """An array as Numba has it, seen where it lies."""
        dtype = as_dtype(kind.dtype)
        expected = f"argument {position} of {self.name} is an array of {dtype} in {kind.ndim} dimensions"
        self.refuse_unless(self.has_type(item, "ndarray"), expected)
        self.refuse_unless(self.equals(self.load(item, abi.DIMENSIONS, INT), kind.ndim), expected)
        number = self.load(self.load(item, abi.DTYPE), abi.TYPE_NUMBER, INT)
        matches = [self.equals(number, possible) for possible in type_numbers(dtype)]
        self.refuse_unless(matches[0] if len(matches) == 1 else self.b.or_(*matches), expected)
        flags = self.b.and_(self.load(item, abi.FLAGS, INT), INT(abi.USABLE))
        self.refuse_unless(self.equals(flags, abi.USABLE), f"{expected}, row after row")
        array = self.context.make_array(kind)(self.context, self.b)
        shape, strides = self.load(item, abi.SHAPE), self.load(item, abi.STRIDES)
        data = self.b.inttoptr(self.load(item, abi.DATA), self.context.get_data_type(kind.dtype).as_pointer())
        populate_array(
            array,
            data=data,
            shape=[self.load(shape, 8 * k) for k in range(kind.ndim)],
            strides=[self.load(strides, 8 * k) for k in range(kind.ndim)],
            itemsize=WORD(dtype.itemsize),
            meminfo=None,
        )
        return array._getvalue()  # noqa: SLF001 - the only way that Numba offers

    def unbox_tuple(self, kind: Any, item: Any, position: int) -> Any:
        """A tuple as Numba has it."""
        expected = f"argument {position} of {self.name} is a tuple of {len(kind)}"
        self.refuse_unless(self.has_type(item, "tuple"), expected)
        self.refuse_unless(self.equals(self.load(item, abi.LENGTH), len(kind)), expected)
        first = self.b.add(item, self.entry(abi.ITEMS_OFFSET))
        values = [self.unbox(part, self.load(first, 8 * k), position) for k, part in enumerate(kind)]
        return self.context.make_tuple(self.b, kind, values)

    # --- the result ---
    def box(self, result: Any) -> Any:
        """The kernel's result as a new object of Python."""
        kind = self.kernel.restype
        if kind == types.none:
            self.call("Py_IncRef", ir.VoidType(), self.entry("None"))
            return self.entry("None")
        if kind == types.float64:
            return self.call("PyFloat_FromDouble", WORD, result)
        assert isinstance(kind, (types.Integer, types.Boolean)), f"{self.name} returns {kind}"
        word = self.context.cast(self.b, result, kind, types.int64)
        return self.call("PyBool_FromLong" if kind == types.boolean else "PyLong_FromLongLong", WORD, word)

    # --- pieces ---
    def load(self, address: Any, offset: int = 0, kind: Any = WORD) -> Any:
        """What lies in memory at an address and an offset in bytes."""
        return self.b.load(self.b.inttoptr(self.b.add(address, WORD(offset)), kind.as_pointer()))

    def entry(self, name: str) -> Any:
        """An entry of the table through which libraries use Python."""
        return self.b.load(self.b.gep(self.table, [INT(0), INT(abi.POSITIONS[name])]))

    def call(self, name: str, returns: Any, *arguments: Any) -> Any:
        """Call a function of Python's C API."""
        kind = ir.FunctionType(returns, [argument.type for argument in arguments])
        return self.b.call(self.b.inttoptr(self.entry(name), kind.as_pointer()), arguments)

    def equals(self, value: Any, number: int) -> Any:
        """Whether an integer is this one."""
        return self.b.icmp_signed("==", value, value.type(number))

    def has_type(self, item: Any, name: str) -> Any:
        """Whether an object is of exactly this type."""
        return self.b.icmp_signed("==", self.load(item, abi.TYPE), self.entry(name))

    def refuse_unless(self, holds: Any, message: str, error: str = "TypeError") -> None:
        """Raise an error in Python unless something holds."""
        with self.b.if_then(self.b.not_(holds), likely=False):
            text = self.context.insert_const_string(self.b.module, message)
            self.call("PyErr_SetString", ir.VoidType(), self.entry(error), self.b.ptrtoint(text, WORD))
            self.b.ret(NULL)


def type_numbers(dtype: np.dtype) -> list[int]:
    """The numbers by which NumPy identifies a type; some have two names in C, such as long and long long."""
    numbers = {np.dtype(code).num for code in "bBhHiIlLqQfd?" if np.dtype(code) == dtype}
    return sorted(numbers)
