"""Machine code ahead of time: the functions of a game, or the kernels of a module, as object files.

For a process of its own: what it compiles with Numba becomes none of its own code, and is never called there.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from types import FunctionType, ModuleType
from typing import Any, cast

from llvmlite import ir
from numba import njit, types
from numba.core import codegen
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target
from numba.core.sigutils import normalize_signature

from hexdeck.engine import contract
from hexdeck.engine.backends import compiler
from hexdeck.engine.backends.entry import Entry
from hexdeck.engine.backends.python_abi import PLACES, TABLE, game_function, kernel_entry
from hexdeck.engine.backends.signatures import entries, signature
from hexdeck.engine.backends.wrappers import rebound, wrappers

UNWRAPPED = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}  # nothing is called from Python but through entries
WORD = ir.IntType(64)


class Library(codegen.AOTCodeLibrary):  # type: ignore[misc] # Numba has no types
    """Code of no address: it is never called in this process."""

    def get_pointer_to_function(self, _name: str) -> int:
        """None."""
        return 0


class Ahead(codegen.AOTCPUCodegen):  # type: ignore[misc]
    """Code for objects: for this processor, with what it can, or for a named kind."""

    _library_class = Library

    def _customize_tm_features(self) -> str:
        return str(self._get_host_cpu_features()) if self._cpu_name == "host" else ""

    def set_env(self, _name: str, _env: object) -> None:
        """What interpreted code would need."""


@contextmanager
def compiling_for(cpu: str) -> Iterator[Any]:
    """Let Numba make objects for a kind of processor ("host": this one) instead of code of this process."""
    context = cpu_target.target_context
    before, context._internal_codegen = context._internal_codegen, Ahead("hexdeck", cpu)  # noqa: SLF001
    try:
        yield context
    finally:
        context._internal_codegen = before  # noqa: SLF001


def objects(owners: tuple[str, ...], cpu: str) -> list[bytes]:
    """The object files of a game, by its rules and strategy, or of a module of kernels."""
    modules = [import_module(name) for name in owners]
    with compiling_for(cpu) as context:
        backend = compiler.Backend("fast")
        backend.flags = backend.flags | UNWRAPPED
        made = game_objects(backend, *modules) if len(modules) > 1 else kernel_objects(backend, modules[0])
        return [emitted(context, name, build, result) for name, build, result in made] + [table_object(context)]


def game_objects(backend: Any, rules: ModuleType, strategy: ModuleType) -> Iterator[Any]:
    """A C function of int64 for each function of a game."""
    for name, function in wrappers(backend, rules, strategy).items():
        arity = contract.TABLE[name][1] + 1
        yield game_function(name), plain, compiled(function, (types.int64,) * arity, backend.flags)


def kernel_objects(backend: Any, module: ModuleType) -> Iterator[Any]:
    """An entry for Python for each kernel of a module that says so."""
    for name in entries(module):
        function: FunctionType = getattr(module, name)
        given, _ = normalize_signature(f"({signature(function)},)")
        inside = rebound(function, backend.space(module.__name__))
        yield kernel_entry(name), unboxed, compiled(inside, given, backend.flags)


def compiled(function: FunctionType, given: tuple[Any, ...], flags: dict[str, Any]) -> Any:
    """What Numba makes of a function for arguments of these types."""
    dispatcher = njit(function, **flags)
    dispatcher.compile(given)
    return dispatcher.overloads[given]


def plain(context: Any, module: ir.Module, name: str, result: Any) -> None:
    """A C function around a compiled function of int64; 0 where that fails."""
    about = result.fndesc
    function = ir.Function(module, ir.FunctionType(WORD, [WORD] * len(about.argtypes)), name)
    builder = ir.IRBuilder(function.append_basic_block())
    callee = context.declare_function(module, about)
    status, out = context.call_conv.call_function(builder, callee, about.restype, about.argtypes, function.args)
    word = context.cast(builder, out, about.restype, types.int64)
    builder.ret(builder.select(status.is_error, ir.Constant(WORD, 0), word))


def unboxed(context: Any, module: ir.Module, name: str, result: Any) -> None:
    """A builtin function of Python around a compiled kernel."""
    Entry(context, module, name, result.fndesc).build()


@global_compiler_lock  # type: ignore[untyped-decorator]
def emitted(context: Any, name: str, build: Any, result: Any) -> bytes:
    """The object file of one function, that alone being seen from outside."""
    library = context.codegen().create_library(name)
    library.add_linking_library(result.library)
    module = context.create_module(name)
    build(context, module, name, result)
    library.add_ir_module(module)
    library.finalize()
    final = library._final_module  # noqa: SLF001 - what Numba makes objects of
    for each in (*final.functions, *final.global_variables):
        if not each.is_declaration and each.name != name:
            each.linkage = "internal"
    return cast(bytes, library.emit_native_object())


@global_compiler_lock  # type: ignore[untyped-decorator]
def table_object(context: Any) -> bytes:
    """The object file with the table through which entries use Python."""
    library = context.codegen().create_library(TABLE)
    module = context.create_module(TABLE)
    table = ir.GlobalVariable(module, ir.ArrayType(WORD, len(PLACES)), TABLE)
    table.initializer = ir.Constant(table.value_type, None)
    library.add_ir_module(module)
    library.finalize()
    return cast(bytes, library.emit_native_object())
