"""`python -m hexdeck.cli`."""

import sys

from hexdeck.cli import main

sys.exit(main())
