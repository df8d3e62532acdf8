#!/usr/bin/env python3
"""Compares the targets that `rocmenv prove` reads with those that LLVM's own tool lists.

Takes wheels and Debian packages from the disk. Every file of them that has a section with device
code is given to `llvm-objdump --offloading` (LLVM 21 or newer: older ones know no compressed
bundles), which unpacks each bundle whole; then the number of bundles and the set of targets of
each must be what `rocmenv prove --whole --json` says. Exit 1 where anything differs. That tool
takes no files of Windows: their section is put into an ELF file first, by LLVM's other tools, and
the DLLs that they import are compared with what `llvm-readobj --coff-imports` lists.

    cargo build --release
    python3 benches/prove_against_llvm.py --llvm /usr/lib/llvm-22/bin FILE.whl FILE.deb ...
"""

import argparse
import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
LINE = re.compile(r"Extracting offload bundle: (.*)\.(\d+)\.((?:host|hip|hipv4|openmp)-.*)$")


def unpack(archive, folder):
    """The files of an archive, and a wheel of them for rocmenv."""
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            wheel.extractall(folder)
        return archive
    subprocess.run(["dpkg-deb", "-x", archive, folder], check=True)
    name = re.sub(r"[^A-Za-z0-9.]+", "_", archive.stem)
    wheel = folder.parent / f"{name}-0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_STORED) as out:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and not path.is_symlink():
                out.write(path, path.relative_to(folder).as_posix())
    return wheel


def by_llvm(llvm, path, scratch):
    """The set of targets of every bundle of a file."""
    place = scratch / "file"
    os.link(path, place)
    done = subprocess.run([llvm / "llvm-objdump", "--offloading", place], capture_output=True, text=True)
    bundles = collections.defaultdict(set)
    for line in done.stdout.splitlines():
        found = LINE.match(line.strip())
        if found and not found[3].startswith("host-"):
            piece = pathlib.Path(line.split(": ", 1)[1].strip())
            if piece.stat().st_size > 0:
                bundles[int(found[2])].add(found[3].split("amdhsa--", 1)[1])
    shutil.rmtree(scratch)
    scratch.mkdir()
    if done.returncode != 0:
        sys.exit(f"llvm-objdump failed on {path}: {done.stderr.strip()}")
    return collections.Counter(frozenset(one) for one in bundles.values())


def as_elf(llvm, path, folder):
    """The device code of a file of Windows in an ELF file; None where it has none."""
    listed = subprocess.run([llvm / "llvm-readobj", "--sections", path], capture_output=True, text=True)
    for section in listed.stdout.split("Section {")[1:]:
        field = lambda name: section.split(f"{name}: ", 1)[1].split()[0]
        if field("Name") != ".hip_fat":
            continue
        at, size = int(field("PointerToRawData"), 0), int(field("VirtualSize"), 0)
        code, empty, out = folder / "code", folder / "empty.o", folder / "elf.o"
        # The tool looks for the next bundle behind the last one, and past the file's end.
        code.write_bytes(path.read_bytes()[at : at + size].ljust(size + 8192, b"\0"))
        subprocess.run(
            [llvm / "llvm-mc", "-filetype=obj", "-triple=x86_64-linux-gnu", "-o", empty, os.devnull], check=True
        )
        subprocess.run(
            [llvm / "llvm-objcopy", f"--add-section=.hip_fatbin={code}", "--set-section-flags=.hip_fatbin=alloc",
             "--set-section-alignment=.hip_fatbin=4096", empty, out],
            check=True,
        )
        return out
    return None


def imports(llvm, path):
    listed = subprocess.run([llvm / "llvm-readobj", "--coff-imports", path], capture_output=True, text=True)
    return set(re.findall(r"^Import \{\n  Name: (.*)$", listed.stdout, re.M))


def by_rocmenv(program, wheel):
    done = subprocess.run(
        [program, "prove", "--whole", "--json", "--wheel", wheel], capture_output=True, text=True
    )
    if not done.stdout:
        sys.exit(f"rocmenv failed on {wheel}: {done.stderr.strip()}")
    files = {}
    found = json.loads(done.stdout)
    for package in found["packages"]:
        for file in package["files"]:
            sets = collections.Counter()
            for code in file["code"]:
                sets[frozenset(code["targets"])] += code["bundles"]
            files[file["path"]] = (sets, file["faults"], sum(c["compressed"] for c in file["code"]))
    return files, {library["name"] for library in found["linked"]["libraries"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--llvm", default="/usr/bin", type=pathlib.Path, help="the folder of LLVM's tools")
    parser.add_argument("--rocmenv", default=ROOT / "target/release/rocmenv")
    parser.add_argument("archives", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    wrong = 0
    print("| archive | file | bundles | compressed | targets | |\n|---|---|---|---|---|---|")
    for archive in options.archives:
        with tempfile.TemporaryDirectory() as temporary:
            folder, scratch = pathlib.Path(temporary, "tree"), pathlib.Path(temporary, "scratch")
            folder.mkdir()
            scratch.mkdir()
            said, libraries = by_rocmenv(options.rocmenv, unpack(archive, folder))
            seen, imported = 0, set()
            for path in sorted(folder.rglob("*")):
                if path.is_symlink() or not path.is_file():
                    continue
                with path.open("rb") as file:
                    start = file.read(4)
                readable = path if start == b"\x7fELF" else None
                if start[:2] == b"MZ":
                    imported |= imports(options.llvm, path)
                    readable = as_elf(options.llvm, path, folder.parent)
                if readable is None:
                    continue
                name = path.relative_to(folder).as_posix()
                llvm = by_llvm(options.llvm, readable, scratch)
                ours, faults, compressed = said.get(name, (collections.Counter(), [], 0))
                if not llvm and not ours:
                    continue
                seen += 1
                agree = llvm == ours and not faults
                wrong += not agree
                union = sorted(set().union(*ours)) if ours else []
                verdict = "agrees" if agree else f"DIFFERS: LLVM {dict(llvm)} faults {faults}"
                print(f"| {archive.name} | {name} | {sum(ours.values())} | {compressed} | {len(union)} | {verdict} |", flush=True)
            if imported:
                agree = imported == libraries
                wrong += not agree
                verdict = "agree" if agree else f"DIFFER: {sorted(imported ^ libraries)}"
                print(f"| {archive.name} | ({len(imported)} imported DLLs) | | | | {verdict} |", flush=True)
            if not seen:
                print(f"| {archive.name} | (no file has device code) | 0 | 0 | 0 | agrees |", flush=True)
    sys.exit(1 if wrong else 0)


main()
