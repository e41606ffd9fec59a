"""Machine code ahead of time: the functions of a game, or the kernels of a module, as object files.

For a process of its own (`build`): what is compiled here can't be called here.
"""

from collections.abc import Callable, Iterator
from importlib import import_module
from types import FunctionType, ModuleType
from typing import Any, cast

from llvmlite import ir
from numba import njit, types
from numba.core.compiler_lock import global_compiler_lock
from numba.core.sigutils import normalize_signature

from hexdeck.engine import contract
from hexdeck.engine.backends import compiler
from hexdeck.engine.backends.numba_patches import as_rules_mean, object_codegen
from hexdeck.engine.backends.python_abi import POSITIONS, TABLE, game_function, kernel_entry
from hexdeck.engine.backends.python_wrapper import PythonWrapper
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
