"""What only extras install may be missing: one sentence says what to install, however one came to need it."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import hexdeck
from tests.settings import much
from tests.support import for_each, ran_apart

SOURCES = Path(hexdeck.__file__).parent
USUAL = {"argcomplete", "numpy", "platformdirs", "rich"}  # what every installation has
COMMANDS = [
    ("report hawthorn", "lab", ["jinja2"]),
    ("report hawthorn --database x.db", "lab", ["jinja2"]),
    ("report hawthorn --database x.db", "web", ["sqlalchemy", "alembic"]),
    ("compare hawthorn --b fold_price=own", "lab", ["jinja2"]),
    ("compare hawthorn --vary", "lab", ["jinja2"]),
    ("compare hawthorn --probe", "lab", ["jinja2"]),
    ("simulate hawthorn --data x", "lab", ["pyarrow"]),
    ("simulate hawthorn --data x --engine ray", "ray", ["ray"]),
    ("print hawthorn", "print", ["fpdf", "markdown_it", "markupsafe"]),
    ("mcp", "mcp", ["mcp", "pydantic"]),
    ("serve", "web", ["alembic", "jinja2", "prometheus_client", "segno", "sqlalchemy", "starlette", "uvicorn"]),
    ("serve --database postgresql://localhost/x", "postgres", ["psycopg"]),
    ("tables check", "web", ["sqlalchemy"]),
    ("tables check --database postgresql://localhost/x", "postgres", ["psycopg"]),
]
PICTURE = "from hexdeck.envs.picture import raster; raster('<svg/>')"
IMPORTS = [
    ("import hexdeck.envs.gymnasium", "envs", "gymnasium"),
    ("from hexdeck.envs.pettingzoo import hawthorn_v2", "envs", "pettingzoo"),
    ("from hexdeck.envs.pettingzoo import hawthorn_v2", "envs", "gymnasium"),
    ("import hexdeck.envs.open_spiel", "envs", "pyspiel"),
    (PICTURE, "envs", "PIL"),
    (PICTURE, "envs", "resvg_py"),
    ("import hexdeck.envs.mcp_server", "mcp", "mcp"),
    ("import hexdeck; hexdeck.game('hawthorn').simulate(1, 'onnx:net.onnx')", "onnx", "onnxruntime"),
    ("import hexdeck.lab; hexdeck.lab.games(hexdeck.game('hawthorn'), 2)", "lab", "pandas"),
    ("import runpy; runpy.run_path('examples/public_learner.py', run_name='__main__')", "envs,learn", "gymnasium"),
]
UNASKED = {
    "cryptography": "nobody is called to their turn",
    "httptools": "the web extra brings it with uvicorn",
    "llvmlite": "Numba brings it",
    "numba": "games run from the machine code that there is, else interpreted, and a line says so",
    "textual": "hexdeck play shows a plain screen",
}


@for_each(
    ("words", "extra", "module"), [(words, extra, module) for words, extra, modules in COMMANDS for module in modules]
)
def test_a_command_says_what_to_install(words, extra, module, room, monkeypatch, tmp_path) -> None:
    monkeypatch.chdir(tmp_path)
    with monkeypatch.context() as patch:
        hide(patch, module)
        said = room.hexdeck(*words.split())
    told = said.out + said.err
    assert said.status and module in told and f"pip install '.[{extra}]' in Hexdeck's folder" in " ".join(told.split())
    assert len([line for line in said.err.splitlines() if "pip install" in line]) <= 1


def hide(monkeypatch: pytest.MonkeyPatch, module: str) -> None:
    for name in [module, *(each for each in sys.modules if each.startswith(f"{module}."))]:
        monkeypatch.setitem(sys.modules, name, None)


@for_each(("code", "extra", "module"), much(IMPORTS[2:7:2], IMPORTS))
def test_an_import_says_what_to_install(code: str, extra: str, module: str) -> None:
    ran = ran_apart(
        [sys.executable, "-c", f"import sys; sys.modules[{module!r}] = None; {code}"], cwd=SOURCES.parents[1]
    )
    last = ran.stderr.strip().splitlines()[-1]
    assert ran.returncode and module in last and f"pip install '.[{extra}]' in Hexdeck's folder" in last


def test_what_the_package_imports_is_named_here() -> None:
    """A new optional dependency needs a sentence, and a line above; one that is gone needs none."""
    named = {module for _, _, modules in COMMANDS for module in modules} | {module for _, _, module in IMPORTS}
    found = {name for file in sources() for name in imported(ast.parse(file.read_text(encoding="utf-8")))}
    assert found - USUAL - sys.stdlib_module_names - {"hexdeck"} == (named | set(UNASKED)) - {
        "pygame",
        "rlcard",
    }  # PettingZoo does


def sources() -> Iterator[Path]:
    return (file for file in SOURCES.rglob("*.py") if not {"tests", "template"} & {*file.relative_to(SOURCES).parts})


def imported(tree: Any) -> Iterator[str]:
    """The packages that a module imports, but for those that only type checkers read."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.expr):
            continue  # no expression imports anything, and most of a tree is expressions
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            continue
        if isinstance(node, ast.Import):
            yield from (each.name.split(".")[0] for each in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield str(node.module).split(".")[0]
        yield from imported(node)
