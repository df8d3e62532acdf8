#!/usr/bin/env python3
"""Kills an upgrade of the real JAX at random instants and looks at what is left.

A project on jax-rocm7 0.9.2 (ROCm 7.2.4) goes to ROCm 7.14, on a host that is given as a file;
the wheels come from the index that this machine's pip is configured for. Everything is fetched
once; then the upgrade is started again and again, and it and all that it started are killed with
SIGKILL after a random time. After every kill the project must run the old or the new JAX, no
half-made generation may be the current one or be listed, and `--continue` (to the new) or
`--abort` (to the old) must lead out of it, in turns.

    cargo build --release
    python3 benches/kill_upgrade.py --points 50
"""

import argparse
import collections
import json
import os
import pathlib
import random
import signal
import subprocess
import tempfile
import time

OLD, NEW = "0.9.2", "0.12.0"
HOST = {
    "schema": 1,
    "os": {"family": "linux", "release": "ubuntu-24.04", "codename": "noble"},
    "kernel": {"release": "6.8.0-45-generic"},
    "libc": {"kind": "glibc", "version": "2.39"},
    "arch": "x86_64",
    "driver": {"loaded": True, "flavour": "dkms", "release": "30.20.1"},
    "gpus": [{"gfx": "gfx942", "product": "AMD Instinct MI300X"}],
}
MANIFEST = """\
exclude-newer = "2026-11-29"

[requires]
rocm = "7.2"
python = "3.12"
jax = "{jax}"

[rocm]
channel = "host"

[verify]
commands = ["python -c 'import jax'"]
"""


class Project:
    def __init__(self, binary, root):
        self.binary = binary
        self.folder = root / "project"
        self.folder.mkdir()
        self.env = {**os.environ, "ROCMENV_DATA": str(root / "data")}
        self.env |= {"ROCMENV_CACHE": str(root / "cache"), "ROCMENV_CONFIG": str(root / "config")}
        self.env.pop("PIP_FIND_LINKS", None)
        for name, rocm in (("old", "7.2.4"), ("new", "7.14.0")):
            host = {**HOST, "rocm": [{"path": "/opt/rocm", "version": rocm}]}
            (self.folder / f"{name}.json").write_text(json.dumps(host))

    def words(self, host, text):
        return [self.binary, "--host", f"{host}.json", *text.split()]

    def call(self, host, text, code=0):
        done = subprocess.run(
            self.words(host, text), cwd=self.folder, env=self.env, capture_output=True, text=True
        )
        if done.returncode != code:
            raise SystemExit(f"{text}: code {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def jax(self):
        code = "import jax; print(jax.__version__)"
        words = [self.binary, "run", "python", "-c", code]
        done = subprocess.run(words, cwd=self.folder, env=self.env, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"the project does not run:\n{done.stderr}")
        return done.stdout.strip()

    def is_under_way(self):
        return (self.folder / ".rocmenv/upgrade.json").exists()

    def look(self):
        """What is visible is whole: the current generation, and all that are listed."""
        place = self.folder / ".rocmenv/host"
        current = (place / "current").read_text().strip()
        assert not (place / "generations" / current / "building").exists(), current
        listed = json.loads(self.call("new", "generations --json"))
        for one in listed:
            number = str(one.get("number", one.get("generation")))
            assert not (place / "generations" / number / "building").exists(), number
        linked = (self.folder / ".venv").resolve()
        assert linked.is_dir(), linked

    def files(self):
        return [(self.folder / name).read_text() for name in ("rocm.toml", "rocm.lock")]

    def reset(self, files):
        """The first generation, whose own rocm.toml asks for 0.9.2 alone, and the wider wish."""
        if self.jax() != OLD:
            self.call("old", "rollback --to 1 --files")
        for name, text in zip(("rocm.toml", "rocm.lock"), files):
            (self.folder / name).write_text(text)
        assert self.jax() == OLD


def upgrade(project, seconds):
    """Starts the upgrade and kills it with all that it started; whether it had ended before."""
    process = subprocess.Popen(
        project.words("new", "upgrade --to 7.14 --apply --yes"),
        cwd=project.folder,
        env=project.env,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        process.wait(timeout=seconds)
        return True
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return False


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", default="target/release/rocmenv")
    parser.add_argument("--points", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    chance = random.Random(arguments.seed)
    binary = str(pathlib.Path(arguments.binary).resolve())
    with tempfile.TemporaryDirectory() as root:
        project = Project(binary, pathlib.Path(root))
        manifest = project.folder / "rocm.toml"
        manifest.write_text(MANIFEST.format(jax=f"=={OLD}"))
        project.call("old", "sync")
        manifest.write_text(MANIFEST.format(jax=f">={OLD}"))
        project.call("old", "lock")
        before = project.files()
        project.call("new", "upgrade --to 7.14 --apply --yes")  # fetches and unpacks
        assert project.jax() == NEW
        project.reset(before)
        start = time.perf_counter()
        project.call("new", "upgrade --to 7.14 --apply --yes")
        whole = time.perf_counter() - start
        project.reset(before)
        files = sum(1 for path in (project.folder / ".rocmenv").rglob("*") if path.is_file())
        print(f"an upgrade takes {whole:.2f} s with everything fetched; {files} files", flush=True)
        counts, places = collections.Counter(), collections.Counter()
        for number in range(1, arguments.points + 1):
            after = chance.uniform(0, whole)
            has_ended = upgrade(project, after)
            runs = project.jax()
            assert runs in (OLD, NEW), runs
            project.look()
            under_way = project.is_under_way()
            places["ended" if has_ended else "under way" if under_way else "not begun"] += 1
            counts["runs the old" if runs == OLD else "runs the new"] += 1
            if under_way and number % 2:
                project.call("new", "upgrade --continue --yes")
                assert project.jax() == NEW
                counts["continued"] += 1
            elif under_way:
                project.call("new", "upgrade --abort")
                assert project.jax() == OLD
                assert project.files() == before, "rocm.toml and rocm.lock are what they were"
                counts["aborted"] += 1
            project.look()
            project.reset(before)
            print(f"{number:3} after {after:6.2f} s: {runs}, under way {under_way}", flush=True)
        print(f"{arguments.points} kills: {dict(places)}; {dict(counts)}; nothing half visible")


if __name__ == "__main__":
    main()
