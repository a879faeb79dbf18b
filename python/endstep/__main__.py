"""`python -m endstep` is `endstep`."""

import os
import subprocess
import sys

from . import program

if __name__ == "__main__":
    command = [program(), *sys.argv[1:]]
    if os.name == "nt":
        sys.exit(subprocess.run(command, check=False).returncode)
    os.execv(command[0], command)
