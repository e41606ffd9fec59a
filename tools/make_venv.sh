#!/bin/sh
# Make .venv with a suitable Python of this machine, or with the one that PYTHON=... names.
newest=15 # Python 3.x: no Numba wheels after it
reason="I need Python 3.11 to 3.$newest and found none; please install one (or say where it is: make PYTHON=...)."

for python in ${PYTHON:-python3.14 python3.15 python3.13 python3.12 python3.11 python3}; do
    "$python" -c "import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, $newest))" 2>/dev/null || continue
    if "$python" -c "import ensurepip, venv" 2>/dev/null; then
        echo "Making .venv with $("$python" -V)."
        exec "$python" -m venv --clear .venv
    fi
    reason="$("$python" -V) lacks its venv module; please install it (on Debian and Ubuntu: apt install python3-venv)."
done
echo "$reason" >&2
exit 1
