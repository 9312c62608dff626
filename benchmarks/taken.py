"""Run a command and write down what it took, as JSON: seconds of CPU and by the clock, kilobytes.

    python benchmarks/taken.py FILE COMMAND...

Linux counts the memory of whoever starts a process as that of the process. So a program as small as
the smallest contestant starts it, and not the benchmark.
"""

import os
import sys
import time


def main() -> int:
    """Run the command of the arguments; return its exit code."""
    file, *command = sys.argv[1:]
    begun = time.perf_counter()
    pid = os.posix_spawn(command[0], command, os.environ)
    _, status, usage = os.wait4(pid, 0)
    wall = time.perf_counter() - begun
    with open(file, "w", encoding="utf-8") as stream:
        stream.write(f"[{usage.ru_utime + usage.ru_stime}, {wall}, {usage.ru_maxrss}]")
    return os.waitstatus_to_exitcode(status)


if __name__ == "__main__":
    sys.exit(main())
