#!/usr/bin/env python3
"""Measures what sharing costs and saves with real packages, and prints tables.

Four questions: what the environments of 1, 10 and 50 users take on the disk (each user with a
copy of his own; each with a store of his own; all with an administrator's store as a layer); how
long a bundle takes to make, to sync from and to lock from; whether the offline tree and the offline
lock are the online ones; and how long each export takes.

Needs Python, a build of rocmenv, and a reachable Python package index. As root the users of the
layer are other users, as they are in a lab, so that files are linked symbolically where the system
protects hard links; else they are this user, and hard links are made.

    cargo build --release
    python3 benches/sharing.py --rocmenv target/release/rocmenv
"""

import argparse
import hashlib
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

MANIFEST = """[project]
name = "bench"

[requires]
python = "{series}"

[python-packages]
{packages}

[python]
source = "host"

[targets.node]
arch = "x86_64"
libc = "{libc}"
"""

FIRST_USER = 20_000


class Bench:
    def __init__(self, rocmenv, manifest, root):
        self.rocmenv, self.root = str(rocmenv), root
        self.manifest = manifest
        self.cache = root / "cache"

    def call(self, words, project, data, user=None, layers=None, cache=None):
        """One call of rocmenv; gives its seconds."""
        # The same interpreter for everybody: compiled modules are kept by its exact version.
        env = dict(os.environ, PATH="/usr/bin:/bin", ROCMENV_DATA=str(data), ROCMENV_CACHE=str(cache or self.cache))
        env["ROCMENV_LAYERS"] = str(layers or "")
        command = [self.rocmenv, *words.split()]
        if user is not None:
            command = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", *command]
            env["HOME"] = str(project)
        start = time.monotonic()
        subprocess.run(command, cwd=project, env=env, check=True, stderr=subprocess.DEVNULL)
        return time.monotonic() - start

    def project(self, name, lock=None):
        folder = self.root / name
        folder.mkdir(parents=True)
        (folder / "rocm.toml").write_text(self.manifest)
        if lock is not None:
            (folder / "rocm.lock").write_text(lock)
        return folder


def disk(*folders):
    """Files, and the bytes of their blocks; every inode once."""
    inodes = {}
    for folder in folders:
        for path, _, names in os.walk(folder):
            for name in names:
                found = os.lstat(os.path.join(path, name))
                inodes[(found.st_dev, found.st_ino)] = found.st_blocks * 512
    return len(inodes), sum(inodes.values())


def tree(folder):
    """One digest of every name, content, link and permission below a folder."""
    digest = hashlib.sha256()
    for path in sorted(pathlib.Path(folder).rglob("*")):
        found = path.lstat()
        digest.update(f"{path.relative_to(folder)} {found.st_mode:o}\n".encode())
        if path.is_symlink():
            digest.update(os.readlink(path).encode())
        elif path.is_file():
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def mib(count):
    return f"{count / 2**20:,.1f} MiB"


def own_stores(bench, lock, counts):
    """Every user has a store of his own; the downloads are there already."""
    print("\n| users | inodes | disk | a user | a sync |\n|---|---|---|---|---|")
    seconds = []
    for at in range(1, max(counts) + 1):
        project = bench.project(f"own/{at}/project", lock)
        seconds.append(bench.call("sync -q --locked --target node", project, bench.root / f"own/{at}/data"))
        if at in counts:
            files, used = disk(bench.root / "own")
            print(f"| {at} | {files:,} | {mib(used)} | {mib(used / at)} | {sum(seconds) / at:.2f} s |", flush=True)
    shutil.rmtree(bench.root / "own")


def one_store(bench, lock, counts):
    """One user with many projects and one store."""
    print("\n| environments | inodes | disk | each | a sync |\n|---|---|---|---|---|")
    seconds = []
    for at in range(1, max(counts) + 1):
        project = bench.project(f"one/{at}", lock)
        seconds.append(bench.call("sync -q --locked --target node", project, bench.root / "one/data"))
        if at in counts:
            files, used = disk(bench.root / "one")
            print(f"| {at} | {files:,} | {mib(used)} | {mib(used / at)} | {sum(seconds) / at:.2f} s |", flush=True)
    shutil.rmtree(bench.root / "one")


def layered(bench, lock, counts):
    """All users read one administrator's store."""
    admin = bench.root / "admin"
    bench.call("sync -q --locked --target node", bench.project("admin-project", lock), admin)
    base_files, base = disk(admin)
    print(f"\nthe administrator's store: {base_files:,} inodes, {mib(base)}", flush=True)
    print("\n| users | inodes with the layer | disk with the layer | a user beside it | a sync |\n|---|---|---|---|---|")
    seconds = []
    for at in range(1, max(counts) + 1):
        folder = bench.root / f"users/{at}"
        project = bench.project(f"users/{at}/project", lock)
        (folder / "cache").mkdir()
        user = FIRST_USER + at if os.geteuid() == 0 else None
        if user is not None:
            for path in [folder, *folder.rglob("*")]:
                os.chown(path, user, user)
        seconds.append(bench.call(
            "sync -q --locked --target node", project, folder / "data",
            user=user, layers=admin, cache=folder / "cache",
        ))
        if at in counts:
            files, used = disk(admin, bench.root / "users")
            print(f"| {at} | {files:,} | {mib(used)} | {mib((used - base) / at)} | {sum(seconds) / at:.2f} s |", flush=True)
    shutil.rmtree(bench.root / "users")


def offline(bench, lock):
    project = bench.project("offline", lock)
    env = project / ".rocmenv/node/generations/1/env"
    online = bench.call("sync -q --locked --target node", project, bench.root / "offline-data")
    before = tree(env)
    files, used = disk(env)
    rows = [("sync from the cache of downloads", online, f"{files:,} inodes, {mib(used)}")]
    for name in ["bundle", "bundle.tar"]:
        took = bench.call(f"fetch -q --target node --to ../{name}", project, bench.root / "offline-data")
        at = bench.root / name
        count, size = disk(at) if at.is_dir() else (1, at.stat().st_size)
        rows.append((f"fetch into {name}", took, f"{count} files, {mib(size)}"))
        for folder in [project / ".rocmenv", bench.root / "offline-data", bench.root / "no-cache"]:
            shutil.rmtree(folder, ignore_errors=True)
        took = bench.call(
            f"sync -q --offline --locked --target node --from ../{name}", project,
            bench.root / "offline-data", cache=bench.root / "no-cache",
        )
        same = "the same tree" if tree(env) == before else "ANOTHER TREE"
        rows.append((f"sync --offline from {name}", took, same))
        # The answers of indexes that a solve needs are in the bundle: the same lock without a network.
        (project / "rocm.lock").unlink()
        took = bench.call(
            f"lock -q --offline --from ../{name}", project,
            bench.root / "offline-data", cache=bench.root / "no-cache-either",
        )
        same = "the same lock" if (project / "rocm.lock").read_text() == lock else "ANOTHER LOCK"
        rows.append((f"lock --offline from {name}", took, same))
        (project / "rocm.lock").write_text(lock)
    print("\n| step | seconds | result |\n|---|---|---|")
    for what, took, result in rows:
        print(f"| {what} | {took:.2f} | {result} |")


FORMATS = ["requirements", "pylock", "dockerfile", "apptainer", "module", "module-lua", "cyclonedx"]


def exports(bench, lock):
    """Every export of one synced environment: the median of seven, and whether the bytes are the same each time."""
    project = bench.project("exports", lock)
    bench.call("sync -q --locked --target node", project, bench.root / "exports-data")
    print("\n| export | median | bytes | again |\n|---|---|---|---|")
    for name in FORMATS:
        base = " --base debian:12" if name in ("dockerfile", "apptainer") else ""
        seconds, texts = [], set()
        for _ in range(7):
            seconds.append(bench.call(
                f"--target node export {name}{base} -q -o exported", project, bench.root / "exports-data",
            ))
            texts.add((project / "exported").read_bytes())
            (project / "exported").unlink()
        size = len(next(iter(texts)))
        same = "the same bytes" if len(texts) == 1 else "OTHER BYTES"
        print(f"| {name} | {sorted(seconds)[3] * 1000:.0f} ms | {size:,} | {same} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rocmenv", type=pathlib.Path, default="target/release/rocmenv")
    parser.add_argument("--users", default="1,10,50")
    parser.add_argument("--own", default="1,10", help="users with stores of their own: each unpacks and compiles")
    parser.add_argument("--parts", default="offline,exports,one,layer,own")
    parser.add_argument("--python", default="{}.{}".format(*os.sys.version_info[:2]))
    parser.add_argument("--libc", default="2.36")
    parser.add_argument("--package", action="append", help="NAME==VERSION; may be repeated")
    options = parser.parse_args()
    counts = sorted(int(count) for count in options.users.split(","))
    packages = options.package or ["numpy==2.4.6", "scipy==1.17.1", "pandas==3.0.6"]
    lines = "\n".join("{} = \"=={}\"".format(*package.split("==")) for package in packages)
    manifest = MANIFEST.format(series=options.python, libc=options.libc, packages=lines)
    with tempfile.TemporaryDirectory(prefix="rocmenv-sharing-") as folder:
        root = pathlib.Path(folder)
        root.chmod(0o755)
        program = shutil.copy(options.rocmenv.resolve(), root / "rocmenv")
        bench = Bench(program, manifest, root)
        first = bench.project("first")
        took = bench.call("lock -q", first, root / "first-data")
        print(f"lock: {took:.2f} s")
        took = bench.call("sync -q --target node", first, root / "first-data")
        wheels = [path for path in (bench.cache / "downloads").rglob("*.whl")]
        files, used = len(wheels), sum(path.stat().st_size for path in wheels)
        print(f"first sync with downloads: {took:.2f} s, {files} files, {mib(used)} came")
        shutil.rmtree(first / ".rocmenv")
        shutil.rmtree(root / "first-data")
        lock = (first / "rocm.lock").read_text()
        own = sorted(int(count) for count in options.own.split(","))
        parts = {
            "offline": lambda: offline(bench, lock),
            "exports": lambda: exports(bench, lock),
            "one": lambda: one_store(bench, lock, counts),
            "layer": lambda: layered(bench, lock, counts),
            "own": lambda: own_stores(bench, lock, own),
        }
        for part in options.parts.split(","):
            parts[part]()


if __name__ == "__main__":
    main()
