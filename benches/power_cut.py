#!/usr/bin/env python3
"""Cuts the power of a disk at every instant of lock, sync, rollback, gc and an upgrade.

The tests of `tests/mounts/power.rs` do it for some instants; this runs them for all, on ext4, xfs
and btrfs, and adds up. A disk is an image on btrfs that is copied, sharing its blocks, after every
call of the program that changes or flushes names: once as it is after the program has ended, else
after everything but file data was made durable, which is the worst that a system may do. Each copy
is mounted and the program goes on from there. It takes root and loop devices, `btrfs-progs`,
`xfsprogs` and `strace`.

    cargo test -p rocmenv --test mounts --no-run
    sudo --preserve-env=PATH,HOME python3 benches/power_cut.py
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import time

LINE = re.compile(r"^(\w+): (\d+) instants of a power cut on (\w+), (\d+) looked at$", re.MULTILINE)
RESULT = re.compile(r"^test power::(\w+) \.\.\. (ok|FAILED)$", re.MULTILINE)


def sweep(disk):
    """Runs the tests on one kind of disk: what each looked at, and whether it passed."""
    words = ["cargo", "test", "--locked", "-p", "rocmenv", "--test", "mounts", "power::"]
    env = {**os.environ, "ROCMENV_MOUNTS": "all", "ROCMENV_MOUNTS_DISK": disk}
    root = pathlib.Path(__file__).resolve().parent.parent
    done = subprocess.run(words, cwd=root, env=env, capture_output=True, text=True)
    counts = {name: (int(cuts), int(looked)) for name, cuts, _, looked in LINE.findall(done.stderr)}
    results = dict(RESULT.findall(done.stdout))
    if not results or (done.returncode and "FAILED" not in results.values()):
        raise SystemExit(f"the tests did not run:\n{done.stdout}{done.stderr}")
    if done.returncode:
        print(done.stdout)
    return counts, results


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--disks", default="ext4,xfs,btrfs")
    arguments = parser.parse_args()
    if os.geteuid() != 0:
        raise SystemExit("only root can mount")
    total, failed = 0, []
    print("| disk | in | instants | looked at | result |\n|---|---|---|---|---|")
    start = time.perf_counter()
    for disk in arguments.disks.split(","):
        counts, results = sweep(disk)
        for name, result in sorted(results.items()):
            cuts, looked = counts.get(name, (0, 0))
            total += looked
            what = name.removeprefix("a_power_cut_in_").replace("_", " ")
            print(f"| {disk} | {what} | {cuts} | {looked} | {result} |", flush=True)
            if result != "ok":
                failed.append(f"{name} on {disk}")
    print(f"\n{total} power cuts in {time.perf_counter() - start:.0f} s; failed: {failed or 'none'}")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
