#!/usr/bin/env python3
"""Times `rollback` between two generations of 1,000 to 100,000 files.

For each size a wheel of so many files is made twice, in two versions, and synced from a folder of
wheels: two generations. Then `rollback` goes to the one and the other in turns, offline; the whole
program is timed, from its start to its end.

    cargo build --release
    python3 benches/switch.py --runs 20
"""

import argparse
import base64
import hashlib
import os
import pathlib
import statistics
import subprocess
import tempfile
import time
import zipfile


def wheel(folder, version, files):
    path = folder / f"many-{version}-py3-none-any.whl"
    rows = []
    with zipfile.ZipFile(path, "w") as archive:

        def add(name, text):
            data = text.encode()
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            rows.append(f"{name},sha256={digest},{len(data)}")
            archive.writestr(name, data)

        add("many/__init__.py", f"version = '{version}'\n")
        for number in range(files):
            add(f"many/d{number // 1000}/f{number}.txt", f"{version} {number}\n")
        info = f"many-{version}.dist-info"
        add(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: many\nVersion: {version}\n")
        add(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", "\n".join(rows) + f"\n{info}/RECORD,,\n")


def measure(binary, files, runs):
    with tempfile.TemporaryDirectory() as text:
        root = pathlib.Path(text)
        project, wheels = root / "project", root / "wheels"
        project.mkdir()
        wheels.mkdir()
        env = {
            "PATH": os.environ["PATH"],
            "HOME": text,
            "ROCMENV_DATA": str(root / "data"),
            "ROCMENV_CACHE": str(root / "cache"),
            "ROCMENV_CONFIG": str(root / "config"),
            "PIP_CONFIG_FILE": "/dev/null",
            "UV_NO_CONFIG": "1",
        }

        def call(*words):
            done = subprocess.run([binary, *words], cwd=project, env=env, capture_output=True)
            if done.returncode:
                raise SystemExit(done.stderr.decode())

        for version in ("1.0", "2.0"):
            wheel(wheels, version, files)
            (project / "rocm.toml").write_text(
                "[project]\nname = 'many'\n"
                f"[python-packages]\nmany = {{ version = '=={version}', index = 'here' }}\n"
                f"[indexes.here]\nurl = '{wheels}'\nkind = 'find-links'\n"
            )
            call("sync", "--no-compile-bytecode")
        times = []
        for run in range(runs):
            start = time.perf_counter()
            call("--offline", "rollback", "--to", str(1 + run % 2))
            times.append(1000 * (time.perf_counter() - start))
        return times


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", default="target/release/rocmenv")
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--files", type=int, nargs="*", default=[1_000, 10_000, 100_000])
    options = parser.parse_args()
    binary = str(pathlib.Path(options.binary).resolve())
    for files in options.files:
        times = measure(binary, files, options.runs)
        print(
            f"{files:7} files: median {statistics.median(times):.1f} ms, "
            f"worst {max(times):.1f} ms of {len(times)}"
        )


if __name__ == "__main__":
    main()
