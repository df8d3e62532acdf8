#!/usr/bin/env python3
"""Times a shim over a direct exec of the same program.

Makes a project with an environment of one small program, then runs the program by its own path
and through the shim in turns. Needs a release build and nothing else.

    cargo build --release
    python3 benches/shim.py --runs 1000
"""

import argparse
import os
import pathlib
import statistics
import subprocess
import tempfile
import time


def seconds(program, folder):
    start = time.perf_counter()
    subprocess.run([program], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--shim", default="target/release/rocmenv-shim")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="rocmenv-shim-") as work:
        work = pathlib.Path(work).resolve()
        generation = work / "project/.rocmenv/host/generations/1"
        (generation / "env/bin").mkdir(parents=True)
        program = generation / "env/bin/true"
        program.write_bytes(pathlib.Path("/bin/true").read_bytes())
        program.chmod(0o755)
        (work / "project/rocm.toml").write_text('[project]\nname = "bench"\n')
        (work / "project/.rocmenv/host/current").write_text("1\n")
        (generation / "activation").write_text(
            f"rocmenv-activation 1\n{generation}\nset ROCM_PATH {generation}/rocm\n"
            f"prepend PATH {generation}/env/bin\nunset PYTHONHOME\n"
        )
        (work / "shims").mkdir()
        shim = work / "shims/true"
        os.symlink(pathlib.Path(options.shim).resolve(), shim)
        direct, through = [], []
        for _ in range(options.runs):
            direct.append(seconds(program, work / "project"))
            through.append(seconds(shim, work / "project"))
        one, other = (statistics.median(rows) * 1000 for rows in (direct, through))
        print(f"direct {one:.2f} ms, shim {other:.2f} ms, over a direct exec {other - one:.2f} ms")


if __name__ == "__main__":
    main()
