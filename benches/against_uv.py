#!/usr/bin/env python3
"""Times rocmenv beside uv on the same real packages, and prints a table.

Needs only public tools: Python, pip (which brings uv), a build of rocmenv as it is given away, and a
reachable Python package index. Runs of the two programs alternate, so that a machine whose speed
drifts slows both; medians and ranges over the runs are printed, and the ratio of the medians.

    cargo build --profile dist
    python3 benches/against_uv.py --runs 11
"""

import argparse
import http.server
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time

PACKAGES = ["jax==0.12.0", "jax-rocm10-plugin==0.12.0", "jax-rocm10-pjrt==0.12.0"]
UPLOADED_BEFORE = "2026-11-15"

PYPROJECT = f"""[project]
name = "bench"
version = "0.1.0"
requires-python = "==3.12.*"
dependencies = {PACKAGES!r}

[tool.uv]
exclude-newer = "{UPLOADED_BEFORE}T00:00:00Z"
environments = ["sys_platform == 'linux' and platform_machine == 'x86_64'"]
"""

ROCM_TOML = f"""exclude-newer = "{UPLOADED_BEFORE}T00:00:00Z"

[project]
name = "bench"

[requires]
rocm = "10.1"
python = "3.12"
jax = "0.12.0"

[rocm]
channel = "host"

[targets.node]
os = "ubuntu-24.04"
gpus = ["gfx942"]
driver = "31.50.0"
rocm = "10.1.0"
"""


class Side:
    """One program: its folder, its environment, and how it is called."""

    def __init__(self, name, program, folder, env, lock_file, environment):
        self.name = name
        self.program = program
        self.folder = folder
        self.env = env
        self.lock_file = folder / lock_file
        self.environment = folder / environment

    def run(self, *arguments):
        """Runs the program once: seconds of wall time, and the peak memory in KiB.

        The kernel counts this script's own size, about 21 MiB, until the program is started: a
        smaller peak than that cannot be told.
        """
        start = time.perf_counter()
        process = subprocess.Popen(
            [self.program, *arguments],
            cwd=self.folder,
            env=self.env,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        error = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        if os.waitstatus_to_exitcode(status) != 0:
            sys.exit(f"{self.name} {' '.join(arguments)} failed:\n{error.decode()}")
        return seconds, usage.ru_maxrss


def measure(title, sides, runs, after_round=None):
    """Alternates the sides, and who begins; each side is (side, prepare, arguments).

    Where rounds are swept (`after_round`), what a run has left unwritten is flushed and timed, too.
    """
    results = {side.name: [] for side, _, _ in sides}
    flushes = {side.name: [] for side, _, _ in sides}
    for number in range(runs + 1):
        for side, prepare, arguments in sides if number % 2 else reversed(sides):
            prepare(side)
            result = side.run(*arguments)
            start = time.perf_counter()
            if after_round:
                subprocess.run(["sync", "-f", side.folder], check=True)
            if number > 0:  # the first round warms up
                results[side.name].append(result)
                flushes[side.name].append(time.perf_counter() - start)
        if after_round:
            after_round()
    medians = {}
    for name, rows in results.items():
        medians[name] = show(title, name, [row[0] for row in rows], max(row[1] for row in rows))
    first, second = (side.name for side, _, _ in sides)
    print(f"{'':42} {'ratio':8} {medians[first] / medians[second]:9.2f}", flush=True)
    if after_round:
        left = {name: show("  a flush afterwards", name, rows) for name, rows in flushes.items()}
        whole = (medians[first] + left[first]) / (medians[second] + left[second])
        print(f"{'':42} {'ratio':8} {whole:9.2f} with the flush of both", flush=True)


def show(title, name, rows, kib=None):
    """Prints a row of seconds; their median in milliseconds."""
    rows = [row * 1000 for row in rows]
    memory = f"  {kib / 1024:6.1f} MiB" if kib else ""
    median = statistics.median(rows)
    print(f"{title:42} {name:8} {median:9.1f} ms  ({min(rows):.1f} to {max(rows):.1f}){memory}")
    return median


def forget_lock(side):
    side.lock_file.unlink(missing_ok=True)


def put_aside(work, folder):
    """Moves a folder aside. Deleting it would slow whoever is timed next: for minutes ext4 steps
    over each inode that was just freed."""
    aside = work / "aside"
    aside.mkdir(exist_ok=True)
    if folder.exists():
        folder.rename(aside / f"{folder.name}-{time.monotonic_ns()}")


def forget_environment(side):
    put_aside(side.folder.parent, side.environment)


def serve(folder):
    """A mirror of wheels on loopback, as a page of links."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def __init__(self, *args):
            super().__init__(*args, directory=folder)

        def log_message(self, *args):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Quiet)
    server.handle_error = lambda *args: None  # who has read enough hangs up
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


def mirror(python, work):
    """Downloads the wheels once and lays them out as a simple index."""
    wheels = work / "wheels"
    command = [python, "-m", "pip", "download", "-q", "-d", wheels, "--only-binary=:all:"]
    target = ["--python-version", "3.12", "--platform", "manylinux_2_28_x86_64"]
    target += ["--platform", "manylinux_2_27_x86_64", "--platform", "manylinux2014_x86_64"]
    subprocess.run([*command, *target, *PACKAGES], check=True)
    simple = work / "mirror" / "simple"
    for wheel in wheels.glob("*.whl"):
        name = wheel.name.split("-")[0].lower().replace("_", "-").replace(".", "-")
        folder = simple / name
        folder.mkdir(parents=True, exist_ok=True)
        os.link(wheel, folder / wheel.name)
    for folder in simple.iterdir():
        links = "".join(f'<a href="{f.name}">{f.name}</a>\n' for f in sorted(folder.iterdir()))
        (folder / "index.html").write_text(f"<!DOCTYPE html><html><body>{links}</body></html>")
    return serve(work / "mirror") + "/simple/"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=11)
    parser.add_argument("--rocmenv", default="target/dist/rocmenv")
    parser.add_argument("--python", default=shutil.which("python3.12") or "python3.12")
    parser.add_argument("--skip-cold", action="store_true")
    parser.add_argument("--only-cold", action="store_true")
    options = parser.parse_args()
    rocmenv = pathlib.Path(options.rocmenv).resolve()
    work = pathlib.Path(tempfile.mkdtemp(prefix="rocmenv-bench-"))
    try:
        bench(options, rocmenv, work)
    finally:
        subprocess.run(["chmod", "-R", "u+w", work], check=False)
        shutil.rmtree(work, ignore_errors=True)


def bench(options, rocmenv, work):
    subprocess.run([sys.executable, "-m", "venv", work / "tools"], check=True)
    subprocess.run([work / "tools/bin/pip", "install", "-q", "uv"], check=True)
    env = {key: value for key, value in os.environ.items() if not key.startswith("UV_")}
    ours_env = env | {
        "ROCMENV_DATA": str(work / "data"),
        "ROCMENV_CACHE": str(work / "cache"),
    }
    uv_env = env | {"UV_CACHE_DIR": str(work / "uv-cache"), "UV_PYTHON": options.python}
    ours_folder, uv_folder = work / "ours", work / "uv"
    ours_folder.mkdir()
    uv_folder.mkdir()
    (ours_folder / "rocm.toml").write_text(ROCM_TOML)
    (uv_folder / "pyproject.toml").write_text(PYPROJECT)
    ours = Side("rocmenv", rocmenv, ours_folder, ours_env, "rocm.lock", ".rocmenv")
    uv = Side("uv", work / "tools/bin/uv", uv_folder, uv_env, "uv.lock", ".venv")
    print(subprocess.run([uv.program, "--version"], capture_output=True, text=True).stdout.strip())

    if not options.only_cold:
        warm(options, ours, uv)
    if not options.skip_cold:
        cold(options, work, ours, uv)


def warm(options, ours, uv):
    """What needs no network, because everything is cached."""
    nothing = lambda side: None
    measure("--version", [(ours, nothing, ["--version"]), (uv, nothing, ["--version"])], options.runs)
    for side, commands in ((ours, ["lock"]), (uv, ["lock"])):
        side.run(*commands)
    lock = ["lock", "--offline"]
    measure("lock, warm, no lock file", [(ours, forget_lock, lock), (uv, forget_lock, lock)], options.runs)
    measure("lock, warm, nothing to do", [(ours, nothing, lock), (uv, nothing, lock)], options.runs)
    ours.run("sync", "--target", "node")
    uv.run("sync")
    cached = ["sync", "--offline", "--frozen"]
    here = ["--target", "node"]
    measure(
        "sync, warm, without bytecode",
        [(ours, forget_environment, [*cached, *here, "--no-compile-bytecode"]), (uv, forget_environment, cached)],
        options.runs,
    )
    measure(
        "sync, warm, with bytecode / uv without",
        [(ours, forget_environment, [*cached, *here]), (uv, forget_environment, cached)],
        options.runs,
    )
    measure("sync, nothing to do", [(ours, nothing, [*cached, *here]), (uv, nothing, cached)], options.runs)


def cold(options, work, ours, uv):
    """Everything from a mirror on loopback into an empty store; uv compiles bytecode too."""
    url = mirror(options.python, work)
    ours.env["ROCMENV_INDEX_URL"] = url
    uv.env["UV_DEFAULT_INDEX"] = url

    def forget_all(side):
        forget_environment(side)
        for folder in ("uv-cache",) if side is uv else ("data", "cache"):
            put_aside(work, work / folder)
        text = "exclude-newer"  # a page of links has no dates
        file = side.folder / ("pyproject.toml" if side is uv else "rocm.toml")
        file.write_text("".join(l for l in file.read_text().splitlines(True) if not l.startswith(text)))
        forget_lock(side)
        side.run("lock")

    def sweep():
        """What was put aside goes between rounds, for a disk holds no more than some of it."""
        subprocess.run(["chmod", "-R", "u+w", work / "aside"], check=True)
        shutil.rmtree(work / "aside")
        os.sync()

    measure(
        "sync, cold, from a mirror, with bytecode",
        [
            (ours, forget_all, ["sync", "--target", "node"]),
            (uv, forget_all, ["sync", "--compile-bytecode"]),
        ],
        options.runs,
        after_round=sweep,
    )


if __name__ == "__main__":
    main()
