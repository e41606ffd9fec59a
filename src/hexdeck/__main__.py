"""`python -m hexdeck`."""

import sys

from hexdeck.cli import main

sys.exit(main())
