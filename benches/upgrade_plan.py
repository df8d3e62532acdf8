#!/usr/bin/env python3
"""Times `rocmenv upgrade`, the whole program from its start to its end, for six hosts.

The six are the ones that people are stuck on: an Instinct MI250 on ROCm 5.7 and Ubuntu 20.04, a
driver of 6.2 under ROCm 6.1, a Radeon that needs another kernel, gfx906, gfx1151 with its kernel
floors, and the HIP SDK on Windows. Each is described in a rocm.toml with a rocm.lock that says
what it runs; nothing is fetched. The answers themselves are tests (resolver/tests/upgrade/named.rs).

    cargo build --release
    python3 benches/upgrade_plan.py --runs 20
"""

import argparse
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

# name: description, ROCm and Python that are locked, framework, where to
CASES = {
    "MI250, 5.7 -> 10.0": (
        'os = "ubuntu-20.04.6"\nkernel = "5.15"\ngpus = ["MI250"]\ndriver = "5.7.1"',
        ("5.7.1", "3.10"), "pytorch", "10.0",
    ),
    "MI300X, 6.1 -> 7.2": (
        'os = "ubuntu-22.04.5"\nkernel = "5.15"\ngpus = ["MI300X"]\ndriver = "6.2.4"',
        ("6.1.2", "3.10"), "pytorch", "7.2",
    ),
    "RX 7900 XTX, 7.2 -> 10.0": (
        'os = "ubuntu-24.04.4"\nkernel = "6.8"\ngpus = ["RX 7900 XTX"]\ndriver = "30.30.3"',
        ("7.2.4", "3.12"), "pytorch", "10.0",
    ),
    "Radeon VII, 6.2 -> 7.2": (
        'os = "ubuntu-22.04.5"\nkernel = "5.15"\ngpus = ["Radeon VII"]\ndriver = "6.2.4"',
        ("6.2.4", "3.10"), "pytorch", "7.2",
    ),
    "gfx1151, 6.4 -> 7.14": (
        'os = "ubuntu-24.04.3"\nkernel = "6.11"\ngpus = ["gfx1151"]\ndriver = "in-tree"',
        ("6.4.3", "3.12"), "pytorch", "7.14",
    ),
    "HIP SDK 5.7 -> 10.0": (
        'os = "windows-11-25H2"\ngpus = ["RX 7900 XTX"]\ndriver = "23.30"',
        ("5.7.1", "3.11"), "pytorch", "10.0",
    ),
}


def write(project, case):
    description, (rocm, python), framework, _ = case
    family = "windows" if "windows" in description else "linux"
    (project / "rocm.toml").write_text(
        f'[requires]\nrocm = "*"\n{framework} = "*"\n\n[targets.node]\n{description}\n'
    )
    (project / "rocm.lock").write_text(
        "version = 1\n\n[[target]]\n"
        f'name = "node"\nenv = "default"\ninputs = "{"0" * 64}"\nrocm = "{rocm}"\n'
        f'channel = "auto"\npython = "{python}"\npython-floor = "{python}.0"\npackages = 0\n'
        f'hard = ["os = {family}", "arch = x86_64"]\nsoft = []\n'
    )


def measure(binary, case, runs):
    with tempfile.TemporaryDirectory() as text:
        root = pathlib.Path(text)
        project = root / "project"
        project.mkdir()
        write(project, case)
        env = {
            "PATH": os.environ["PATH"],
            "HOME": text,
            "ROCMENV_DATA": str(root / "data"),
            "ROCMENV_CACHE": str(root / "cache"),
            "ROCMENV_CONFIG": str(root / "config"),
        }
        words = [binary, "--offline", "upgrade", "--to", case[3]]
        times = []
        for _ in range(runs + 1):
            start = time.perf_counter()
            done = subprocess.run(words, cwd=project, env=env, capture_output=True, text=True)
            times.append(1000 * (time.perf_counter() - start))
            if done.returncode:
                raise SystemExit(done.stdout + done.stderr)
        return times[1:], done.stdout.splitlines()[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", default="target/release/rocmenv")
    parser.add_argument("--runs", type=int, default=20)
    options = parser.parse_args()
    binary = str(pathlib.Path(options.binary).resolve())
    for name, case in CASES.items():
        times, answer = measure(binary, case, options.runs)
        print(f"{name:26} median {statistics.median(times):6.1f} ms, worst {max(times):6.1f} ms")
        print(f"{'':26} {answer[:110]}")


if __name__ == "__main__":
    main()
