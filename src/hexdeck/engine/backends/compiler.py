"""Backends: how plain rules become machine code, with Numba.

A backend is a set of compiler flags. Every plain function that compiled code needs is rebound into a namespace of the
backend, so that it calls the backend's versions of what it calls; the module it was written in is left alone. A game's
functions become C functions of 64-bit integers, whose addresses fill a small table; generic kernels get the table as
an array and call through it, so that they compile once for all games. Machine code is kept on disk in a folder named
by a hash of the sources it comes from (`cache`): Numba's own cache would miss edits in other modules and other flags,
and trusts whatever it reads.

Some of Numba is replaced while something is compiled; afterwards Numba's own is back. Whatever replaces something holds
Numba's compiler lock, so no other thread compiles anything meanwhile, and what other libraries compile with Numba is
never touched.

`objects` compiles ahead of time, in a process of its own (`build`): what it compiles can't be called there. Python
calls a kernel through a builtin function, written as LLVM code, that checks the types of its arguments, reads them
where they lie, gives up Python's lock while the kernel runs, and makes an object of the result. For arguments of other
types it raises TypeError, and the kernel isn't called.
"""

from __future__ import annotations

import functools
import hashlib
import os
import pickle
import re
import threading
import types as py
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, cast

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.core import codegen
from numba.core.caching import NullCache
from numba.core.ccallback import CFunc
from numba.core.compiler import CompileResult
from numba.core.compiler_lock import global_compiler_lock
from numba.core.errors import NumbaError, UnsupportedBytecodeError
from numba.core.registry import cpu_target
from numba.core.serialize import dumps
from numba.core.sigutils import normalize_signature
from numba.cpython import numbers
from numba.np import arrayobj
from numba.np.arrayobj import populate_array
from numba.np.numpy_support import as_dtype

from hexdeck.engine import contract
from hexdeck.engine.backends import compiled_contract
from hexdeck.engine.backends import python_abi as abi
from hexdeck.engine.backends.cache import (
    CODE,
    backend_folder,
    compiles,
    read_with_checksum,
    tell,
    told_if_compiled,
    write_with_checksum,
)
from hexdeck.engine.backends.compiled_contract import CHECKED, COUNTERPARTS, FAST, rebound, wrappers
from hexdeck.engine.backends.python_abi import POSITIONS, TABLE, entries, game_function, kernel_entry, signature
from hexdeck.engine.errors import BrokenGame
from hexdeck.engine.text import Text, _, say


@contextmanager
def replaced(owner: Any, name: str, replacement: Any) -> Iterator[None]:
    """While it is active, an attribute of Numba's is another one. Replacements may be nested."""
    with global_compiler_lock:
        original = getattr(owner, name)
        setattr(owner, name, replacement)
        try:
            yield
        finally:
            setattr(owner, name, original)


# --- indices and integers ---------------------------------------------------------------------------------------------
numba_index = arrayobj.fix_integer_index


def nonnegative_index(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
    """An array index as code without reference counts takes it, which is the `fast` backend's: as it is.

    Rules use no negative index, and the strict interpreter refuses them; Numba's own code counts those from the end.
    """
    if context.enable_nrt:
        return numba_index(context, builder, kind, index, size)
    return context.cast(builder, index, kind, types.intp)


def no_flags(_kind: Any) -> list[str]:
    """What LLVM may take for granted of a sum, a difference or a product: nothing.

    With a flag of its own (`nsw`), Numba promises LLVM that no signed number overflows. LLVM then leaves out the second
    mask of `((h & M63) * ODD) & M63`: the product of two numbers that aren't negative isn't either. The hash is wrong.
    """
    return []


@contextmanager
def as_rules_mean() -> Iterator[None]:
    """While it is active, code is compiled as rules mean it: no index is negative, and integers wrap around."""
    with (
        replaced(arrayobj, "fix_integer_index", nonnegative_index),
        replaced(numbers, "_int_arith_flags", no_flags),
    ):
        yield


# --- object files -----------------------------------------------------------------------------------------------------
class UncallableLibrary(codegen.AOTCodeLibrary):  # type: ignore[misc] # Numba has no types
    """Code for an object file. It has no address, for it is never called in this process.

    LLVM optimizes it once, as a part of what is written (`write`); Numba does so with each function, and again with
    each that calls it.
    """

    def get_pointer_to_function(self, _name: str) -> int:
        """0, where Numba asks for the address of what it compiled."""
        return 0

    def _optimize_final_module(self) -> None:
        """Nothing yet."""

    def write(self, symbol: str) -> bytes:
        """The object file, in which nothing but a symbol is seen from outside."""
        self.finalize()
        for part in (*self._final_module.functions, *self._final_module.global_variables):
            if not part.is_declaration and part.name != symbol:
                part.linkage = "internal"
        super()._optimize_final_module()
        return cast(bytes, self.emit_native_object())


class ObjectCodegen(codegen.AOTCPUCodegen):  # type: ignore[misc]
    """Code for object files: for a named kind of processor, or for this one ("host") with all that it can do."""

    _library_class = UncallableLibrary

    def _customize_tm_features(self) -> str:
        return str(self._get_host_cpu_features()) if self._cpu_name == "host" else ""

    def set_env(self, _name: str, _env: object) -> None:
        """Nothing: only code that calls the interpreter needs an environment."""


@contextmanager
def object_codegen(cpu: str) -> Iterator[Any]:
    """While it is active, Numba compiles for object files, for a kind of processor; gives its target context."""
    context = cpu_target.target_context
    with replaced(context, "_internal_codegen", ObjectCodegen("hexdeck", cpu)):
        yield context


def keep(function: Any, folder: Path) -> None:
    """Have what Numba compiles of a function, a dispatcher or a `CFunc`, kept in a folder."""
    function._cache = KeptCode(function.__wrapped__, folder)  # noqa: SLF001 - Numba offers no other way


class KeptCode(NullCache):  # type: ignore[misc] # Numba has no types
    """The cache of one function, in a folder that is named by its sources (`cache.backend_folder`)."""

    def __init__(self, function: FunctionType, folder: Path) -> None:
        self.function, self.folder = function, folder

    @property
    def cache_path(self) -> str:
        """The folder."""
        return os.fspath(self.folder)

    def file(self, signature: Any, codegen: Any) -> Path:
        """The file with the function's code for these argument types and this processor."""
        code = self.function.__code__
        key = repr((signature, codegen.magic_tuple(), code.co_firstlineno, code.co_code))
        return self.folder / f"{self.function.__name__}.{hashlib.sha256(key.encode()).hexdigest()[:16]}{CODE}"

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        """What was compiled for these types; None where there is none that can be read, which is then compiled."""
        target_context.refresh()
        data = read_with_checksum(self.file(signature, target_context.codegen()))
        try:
            if data is not None:
                return CompileResult._rebuild(target_context, *pickle.loads(data))  # noqa: S301, SLF001 - our own file
        except Exception:  # noqa: S110 - whatever becomes of reading bytes that another version wrote
            pass
        compiles()
        return None

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Keep what was compiled. A disk without room is told of once, and the function is used unkept."""
        if compiled.library.has_dynamic_globals:
            return  # it has addresses of this process in it
        try:
            data = dumps(compiled._reduce())  # noqa: SLF001 - as Numba's own cache does
            write_with_checksum(self.file(signature, compiled.codegen), data)
        except OSError as error:
            text = _("Machine code can't be saved ({why}); it is compiled again each time.")
            tell(say(text, why=error.strerror or str(error)))


FLAGS: dict[str, dict[str, Any]] = {"fast": {"_nrt": False}, "checked": {"boundscheck": True}}
i64 = types.int64
REBINDING = threading.RLock()  # one thread at a time makes namespaces


class Backend:
    """All that is compiled with one set of flags: `table(rules, strategy)` and `kernel(function)`."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.flags = FLAGS[name]
        self.owners: set[tuple[str, ...]] = set()  # modules whose functions were compiled, or read from the cache
        self._spaces: dict[str, dict[str, Any]] = {}

    def space(self, module: str) -> dict[str, Any]:
        """The globals of a module, functions of hexdeck and of its own package replaced by this backend's."""
        with REBINDING:
            return self._space(module)

    def _space(self, module: str) -> dict[str, Any]:
        if module not in self._spaces:
            top = module.partition(".")[0]  # a game of another package calls functions of its own
            space = self._spaces[module] = dict(vars(import_module(module)))
            for name, value in list(space.items()):
                if isinstance(value, py.FunctionType) and value.__module__.partition(".")[0] in ("hexdeck", top):
                    space[name] = self._version(value, module, space)
        return self._spaces[module]

    def _version(self, function: py.FunctionType, module: str, space: dict[str, Any]) -> Any:
        if function.__module__ != module:
            return self.space(function.__module__)[function.__name__]
        if function.__closure__:  # no kernel: something decorated, which lies in the same module
            return function
        counterparts = COUNTERPARTS | (FAST if self.name == "fast" else CHECKED)
        if counterpart := counterparts.get((module, function.__name__)):
            if not isinstance(counterpart, py.FunctionType):
                return counterpart  # an intrinsic
            function = counterpart
            space = {**vars(compiled_contract), "hash_words": self.space("hexdeck.engine.layout")["hash_words"]}
        inline = function.__name__ not in space.get("APART", ())
        return njit(rebound(function, space), forceinline=inline, **self.flags)

    def kernel(self, function: py.FunctionType) -> Any:
        """A generic kernel, or one of a game's own, compiled when it is first called; releases the GIL."""
        module = function.__module__
        kernel = njit(rebound(function, self.space(module)), nogil=True, **self.flags)
        keep(kernel, self.folder(module))
        kernel.compile = compiling()(kernel.compile)
        return kernel

    def table(self, rules: py.ModuleType, strategy: py.ModuleType) -> np.ndarray:
        """Addresses of a game's compiled functions, int64, in the order of `contract.TABLE`."""
        functions = wrappers(self, rules, strategy)
        folder = self.folder(rules.__name__, strategy.__name__)
        out = np.zeros(len(contract.TABLE), np.int64)
        with compiling():
            for name, function in functions.items():
                position, arity = contract.TABLE[name]
                callback: Any = CFunc(function, ((i64,) * (arity + 1), i64), {}, self.flags)
                keep(callback, folder)
                try:
                    callback.compile()
                except (NumbaError, UnsupportedBytecodeError) as error:
                    raise BrokenGame(not_compiled(rules, name, str(error))) from error
                out[position] = callback.address
                _callbacks.append(callback)
        return out

    def folder(self, *owners: str) -> Path:
        """Where machine code of these modules is kept, and note that this process uses it."""
        self.owners.add(owners)
        return backend_folder(owners, self.name)


@contextmanager
def compiling() -> Iterator[None]:
    """While it is active, Numba compiles as backends need it, and says so if that takes long."""
    with told_if_compiled(), as_rules_mean():
        yield


def not_compiled(rules: py.ModuleType, function: str, message: str) -> Text:
    """What Numba says of a game's function, in one sentence, with the line that it says it of."""
    folder = rules.__name__.split(".")[-2]
    lines = [line.strip() for line in message.splitlines()]
    reasons = [
        line for line in lines if line and not line.startswith(("Failed in", "[", "During:", "File", "<", "-", "~"))
    ]
    why = (reasons or lines)[0].partition(". Raised from")[0].rstrip(".:")
    match = re.search(rf"{re.escape(folder)}[/\\\\](\w+\.py)\D*(\d+)", message)
    name, file, line = folder.replace("_", "-"), match[1] if match else "rules.py", match[2] if match else "?"
    text = _("{game}: {function} can't be compiled: {why} ({file}, line {line}).")
    return say(text, game=name, function=function, why=why, file=file, line=line)


_callbacks: list[CFunc] = []  # they live as long as their addresses are in use


@functools.cache
def backend(name: str) -> Backend:
    """The backend of that name: `fast` or `checked`."""
    return Backend(name)


WITHOUT_WRAPPERS = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}  # Numba's: a library has its own
Wrap = Callable[[Any, ir.Module, str, Any], object]  # writes a wrapper: context, module, symbol, compiled function


def objects(owners: tuple[str, ...], cpu: str) -> list[bytes]:
    """The object files of a game, by its rules and strategy, or of a module of kernels, for a kind of processor."""
    modules = [import_module(name) for name in owners]
    with object_codegen(cpu) as context, as_rules_mean():
        backend = Backend("fast")
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
        yield kernel_entry(name), PythonWrapper, compiled(in_backend, argument_types, backend.flags)


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


@global_compiler_lock  # type: ignore[untyped-decorator]
def object_file(context: Any, symbol: str, wrap: Wrap, result: Any) -> bytes:
    """The object file of a compiled function and its wrapper; nothing but the wrapper is seen from outside."""
    library = context.codegen().create_library(symbol)
    library.add_linking_library(result.library)
    module = context.create_module(symbol)
    wrap(context, module, symbol, result)
    library.add_ir_module(module)
    return cast(bytes, library.write(symbol))


@global_compiler_lock  # type: ignore[untyped-decorator]
def table_object(context: Any) -> bytes:
    """The object file of the table through which wrappers use Python; it is filled in when the library is loaded."""
    library = context.codegen().create_library(TABLE)
    module = context.create_module(TABLE)
    table = ir.GlobalVariable(module, ir.ArrayType(WORD, len(POSITIONS)), TABLE)
    table.initializer = ir.Constant(table.value_type, None)
    library.add_ir_module(module)
    return cast(bytes, library.write(TABLE))


INT, WORD, REAL = ir.IntType(32), ir.IntType(64), ir.DoubleType()
NULL = ir.Constant(WORD, 0)


class PythonWrapper:
    """Writes a builtin function of Python around a compiled kernel; it has objects of Python by their addresses, int64.

    The function takes `self`, the address of the arguments and their number (METH_FASTCALL).
    """

    def __init__(self, context: Any, module: ir.Module, symbol: str, result: Any) -> None:
        self.context, self.kernel, self.name = context, result.fndesc, symbol.removeprefix("kernel_")
        self.function = ir.Function(module, ir.FunctionType(WORD, [WORD] * 3), symbol)
        self.b = ir.IRBuilder(self.function.append_basic_block())
        callee = context.declare_function(module, self.kernel)
        self.table = ir.GlobalVariable(module, ir.ArrayType(WORD, len(abi.POSITIONS)), abi.TABLE)
        _, arguments, count = self.function.args
        kinds = self.kernel.argtypes
        self.refuse_unless(self.equals(count, len(kinds)), f"{self.name} takes {len(kinds)} arguments")
        values = [self.unbox(kind, self.load(arguments, 8 * k), k + 1) for k, kind in enumerate(kinds)]
        thread = self.call("PyEval_SaveThread", WORD)
        status, result = self.context.call_conv.call_function(self.b, callee, self.kernel.restype, kinds, values)
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
        same = sorted({np.dtype(code).num for code in "bBhHiIlLqQfd?" if np.dtype(code) == dtype})  # long and long long
        matches = [self.equals(number, possible) for possible in same]
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
