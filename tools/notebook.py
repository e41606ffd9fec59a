"""Run the example notebook and keep what it shows: `python tools/notebook.py [FILE]`.

Outputs and plots are kept, so that one can read it without running it; times and the machine's versions aren't, so that
the same program writes the same file.
"""

import argparse
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

FILE = Path(__file__).parents[1] / "examples" / "playtest.ipynb"


def executed(path: Path) -> Any:
    """The notebook with the outputs of all cells."""
    book = nbformat.read(path, as_version=4)
    NotebookClient(book, timeout=600, kernel_name="python3").execute()
    book.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    for cell in book.cells:
        cell.metadata = {}
    return book


def main() -> None:
    """Write it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, nargs="?", default=FILE)
    path = parser.parse_args().file
    path.write_text(nbformat.writes(executed(path), version=nbformat.NO_CONVERT) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
