"""Loads the ROCm libraries of an environment and asks HIP for its devices.

Prints one JSON document a line to standard output, one for each look: `what`, `result` (passed,
failed, warned, skipped, or absent: not run because there is no GPU), `level` (read, loaded, ran),
`detail`, `seconds`, and `gpu` where something was computed on an AMD GPU. A line is printed as soon as it is known, so that a library that takes the
process down with it leaves what was found before.
"""

import argparse
import ctypes
import glob
import json
import os
import re
import sys
import time
from importlib import metadata

LIBRARIES = [
    "hsa-runtime64", "amdhip64", "hiprtc", "amd_comgr", "rocblas", "hipblas", "hipblaslt",
    "rocsolver", "hipsolver", "rocsparse", "hipsparse", "rocfft", "hipfft", "rocrand", "hiprand",
    "MIOpen", "rccl", "roctx64",
]
# hipError_t that say that nothing is there to answer, not that something is broken
NO_DEVICE = {3: "not initialized", 35: "insufficient driver", 100: "no device", 101: "invalid device"}


def main():
    arguments = parse_arguments()
    versions(arguments)
    found = libraries(arguments.prefix)
    if not found:
        say("ROCm libraries", "skipped", None, "this environment holds none")
        return
    hip = load(found)
    if hip is not None:
        runtime(hip, arguments)
        devices(hip, arguments)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--prefix", help="the environment's own ROCm folder")
    parser.add_argument("--rocm", help="the locked release")
    parser.add_argument("--hip", help="the HIP version of the locked release")
    parser.add_argument("--gpus", type=int, default=0, help="GPUs that the driver shows")
    return parser.parse_args()


def say(what, result, level, detail="", start=None, gpu=False):
    seconds = None if start is None else time.perf_counter() - start
    line = {"what": what, "result": result, "level": level, "detail": detail, "seconds": seconds, "gpu": gpu}
    print(json.dumps(line), flush=True)


def versions(arguments):
    """What the files say of themselves, against the lock."""
    said = []
    if arguments.prefix:
        path = os.path.join(arguments.prefix, ".info", "version")
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                said.append((".info/version", file.read().strip()))
    for name in ["rocm-sdk-core", "rocm-sdk-libraries"]:
        try:
            said.append((name, metadata.version(name)))
        except metadata.PackageNotFoundError:
            pass
    for name, version in said:
        if not arguments.rocm:
            say(f"ROCm by {name}", "passed", "read", f"{version}; the lock names no release")
        elif numbers(version)[:3] == numbers(arguments.rocm)[:3]:
            say(f"ROCm by {name}", "passed", "read", f"{version}, as locked")
        else:
            say(f"ROCm by {name}", "failed", "read", f"{version}; locked is {arguments.rocm}")


def numbers(version):
    return [int(part) for part in re.findall(r"\d+", version)]


def folders(prefix):
    """Where libraries lie: the environment's own ROCm, then what wheels bring."""
    patterns = []
    if prefix:
        below = ["lib", "lib64", "lib/*-linux-gnu", "usr/lib", "usr/lib/*-linux-gnu", "opt/rocm*/lib", "bin"]
        patterns += [os.path.join(prefix, part) for part in below]
    for site in sys.path:
        patterns += [os.path.join(site, part) for part in ("_rocm_sdk_*/lib", "_rocm_sdk_*/bin", "torch/lib")]
    return [folder for pattern in patterns for folder in sorted(glob.glob(pattern)) if os.path.isdir(folder)]


def libraries(prefix):
    """Name to path, the first folder that has it, by its shortest versioned name."""
    found = {}
    for folder in folders(prefix):
        names = os.listdir(folder)
        for library in LIBRARIES:
            pattern = rf"(lib{re.escape(library)}\.so(\.\d+)*|(lib)?{re.escape(library)}(_\d+)?\.dll)"
            own = [name for name in names if re.fullmatch(pattern, name)]
            if own and library not in found:
                versioned = [name for name in own if not name.endswith(".so")] or own
                found[library] = os.path.join(folder, min(versioned, key=lambda name: (len(name), name)))
    return {library: found[library] for library in LIBRARIES if library in found}


def load(found):
    start, loaded, hip = time.perf_counter(), [], None
    for library, path in found.items():
        if hasattr(os, "add_dll_directory"):
            os.add_dll_directory(os.path.dirname(path))
        try:
            handle = ctypes.CDLL(path)
        except OSError as error:
            say(f"library {library}", "failed", "loaded", str(error).splitlines()[0], start)
            continue
        loaded.append(library)
        hip = handle if library == "amdhip64" else hip
    if loaded:
        say("ROCm libraries", "passed", "loaded", f"{len(loaded)} load: {' '.join(loaded)}", start)
    if "amdhip64" not in found:
        say("HIP runtime", "skipped", None, "this environment holds no amdhip64")
    return hip


def error_text(hip, code):
    hip.hipGetErrorString.restype = ctypes.c_char_p
    text = hip.hipGetErrorString(code) or b""
    return f"error {code} ({text.decode(errors='replace') or NO_DEVICE.get(code, 'no text')})"


def runtime(hip, arguments):
    start, value = time.perf_counter(), ctypes.c_int(0)
    code = hip.hipRuntimeGetVersion(ctypes.byref(value))
    if code != 0:
        result = "absent" if code in NO_DEVICE and arguments.gpus == 0 else "failed"
        say("HIP runtime", result, "ran", f"gives no version: {error_text(hip, code)}", start)
        return
    major, minor, patch = value.value // 10_000_000, value.value // 100_000 % 100, value.value % 100_000
    version = f"{major}.{minor}.{patch}"
    if arguments.hip and numbers(arguments.hip)[:2] != [major, minor]:
        say("HIP runtime", "failed", "ran", f"{version}; ROCm {arguments.rocm} has HIP {arguments.hip}", start)
        return
    known = f", that of ROCm {arguments.rocm}" if arguments.hip else ""
    say("HIP runtime", "passed", "ran", f"answers: version {version}{known}", start)


def devices(hip, arguments):
    start, count = time.perf_counter(), ctypes.c_int(0)
    code = hip.hipGetDeviceCount(ctypes.byref(count))
    if code != 0 or count.value == 0:
        reason = error_text(hip, code) if code else "it counts 0"
        result = "absent" if arguments.gpus == 0 else "failed"
        shown = "" if arguments.gpus == 0 else f"; the driver shows {arguments.gpus}"
        say("HIP devices", result, "ran", f"HIP sees no GPU: {reason}{shown}", start)
        return
    detail = f"HIP sees {count.value}"
    if arguments.gpus and count.value < arguments.gpus:
        masks = [f"{name}={os.environ[name]}" for name in MASKS if name in os.environ]
        why = f"; masked by {' '.join(masks)}" if masks else "; no mask is set"
        result = "warned" if masks else "failed"
        say("HIP devices", result, "ran", f"{detail} of {arguments.gpus} that the driver shows{why}", start)
    else:
        say("HIP devices", "passed", "ran", detail, start)
    for device in range(count.value):
        memory(hip, device)


def memory(hip, device):
    """Bytes go to the GPU and come back."""
    start, size = time.perf_counter(), 4096
    pointer, back = ctypes.c_void_p(), (ctypes.c_ubyte * size)()
    steps = [
        ("hipSetDevice", lambda: hip.hipSetDevice(device)),
        ("hipMalloc", lambda: hip.hipMalloc(ctypes.byref(pointer), ctypes.c_size_t(size))),
        ("hipMemset", lambda: hip.hipMemset(pointer, 0x5A, ctypes.c_size_t(size))),
        # 2 is hipMemcpyDeviceToHost
        ("hipMemcpy", lambda: hip.hipMemcpy(back, pointer, ctypes.c_size_t(size), 2)),
        ("hipFree", lambda: hip.hipFree(pointer)),
    ]
    for name, step in steps:
        code = step()
        if code != 0:
            say(f"memory of GPU {device}", "failed", "ran", f"{name}: {error_text(hip, code)}", start)
            return
    whole = all(byte == 0x5A for byte in back)
    detail = f"{size} bytes written and read back" if whole else "other bytes came back than were written"
    say(f"memory of GPU {device}", "passed" if whole else "failed", "ran", detail, start, gpu=True)


MASKS = ["ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL"]

if __name__ == "__main__":
    main()
