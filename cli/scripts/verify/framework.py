"""Asks one framework of an environment: the right build, its GPUs, code for them, a first kernel.

Prints one JSON document a line, as rocm.py does. `absent` means not run because there is no GPU.
"""

import argparse
import json
import re
import sys
import time
from importlib import metadata


def main():
    arguments = parse_arguments()
    start = time.perf_counter()
    try:
        FRAMEWORKS[arguments.framework](arguments, start)
    except Exception as error:  # noqa: BLE001: whatever a framework raises is the finding
        line = (str(error).strip() or "no text").splitlines()[-1]
        say(arguments.framework, "failed", "loaded", f"{type(error).__name__}: {line}", start)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("framework", choices=sorted(FRAMEWORKS))
    parser.add_argument("--build", choices=["rocm", "cpu", "any"], default="any")
    parser.add_argument("--rocm", help="the locked release")
    parser.add_argument("--gfx", type=lambda text: [part for part in text.split(",") if part], default=[])
    parser.add_argument("--gpus", type=int, default=0, help="GPUs that the driver shows")
    return parser.parse_args()


def say(what, result, level, detail="", start=None, gpu=False, gfx=None):
    seconds = None if start is None else time.perf_counter() - start
    line = {"what": what, "result": result, "level": level, "detail": detail, "seconds": seconds, "gpu": gpu}
    if gpu and gfx:
        line["gfx"] = gfx
    print(json.dumps(line), flush=True)


def judge_build(name, wanted, built_for, release, arguments, start):
    """`built_for` is rocm, cuda or cpu; `release` the ROCm or HIP of the build, where it says it."""
    what, said = f"{name}: build", f"built for {built_for} {release}".strip()
    if wanted == "any":
        note = "" if built_for == "rocm" else ": nothing of it runs on an AMD GPU"
        say(what, "passed" if built_for == "rocm" else "warned", "loaded", said + note, start)
    elif built_for != wanted:
        say(what, "failed", "loaded", f"{said}; {wanted} is asked for", start)
    elif wanted == "rocm" and release and arguments.rocm and series(release) != series(arguments.rocm):
        say(what, "failed", "loaded", f"{said}; locked is ROCm {arguments.rocm}", start)
    else:
        say(what, "passed", "loaded", said, start)


def series(version):
    return re.findall(r"\d+", version)[:2]


def judge_gpus(name, seen, arguments, start):
    """Whether the framework sees the GPUs; gives whether there is any to go on with."""
    what = f"{name}: GPUs"
    if seen == 0:
        result = "absent" if arguments.gpus == 0 else "failed"
        shown = "there is none" if arguments.gpus == 0 else f"the driver shows {arguments.gpus}"
        say(what, result, "ran", f"it sees none; {shown}", start)
        say(f"{name}: first kernel", "absent" if arguments.gpus == 0 else "skipped", None, "not run: no GPU to run it on")
    elif seen < arguments.gpus:
        say(what, "warned", "ran", f"it sees {seen} of {arguments.gpus} that the driver shows", start)
    else:
        say(what, "passed", "ran", f"it sees {seen}", start)
    return seen > 0


def judge_targets(name, held, wanted, start):
    """Whether there is code for each GPU; a generic target serves its family."""
    what = f"{name}: code for the GPUs"
    if not held:
        say(what, "skipped", None, "it does not say for which targets it was built")
    elif not wanted:
        say(what, "absent", None, f"no GPU to compare with; it holds {' '.join(held)}")
    else:
        missing = [gfx for gfx in wanted if not any(covers(own, gfx) for own in held)]
        detail = f"it holds {' '.join(held)}"
        if missing:
            say(what, "failed", "read", f"nothing for {' '.join(missing)}; {detail}", start)
        else:
            say(what, "passed", "read", f"{' '.join(wanted)} covered; {detail}", start)


def covers(held, gfx):
    held, gfx = held.split(":")[0], gfx.split(":")[0]
    if not held.endswith("-generic"):
        return held == gfx
    return gfx in GENERIC.get(held, [])


def pytorch(arguments, start):
    import torch

    hip, cuda = getattr(torch.version, "hip", None), torch.version.cuda
    built = "rocm" if hip else "cuda" if cuda else "cpu"
    own = re.search(r"\+rocm([\d.]+)", torch.__version__)
    say("pytorch: version", "passed", "loaded", torch.__version__, start)
    release = (own.group(1) if own else hip) if hip else cuda
    judge_build("pytorch", arguments.build, built, release or "", arguments, start)
    start = time.perf_counter()
    seen = torch.cuda.device_count() if torch.cuda.is_available() else 0
    flags = getattr(torch._C, "_cuda_getArchFlags", lambda: None)() or ""
    names = [torch.cuda.get_device_properties(device) for device in range(seen)]
    live = [getattr(one, "gcnArchName", "") for one in names]
    if hip:
        wanted = sorted({name.split(":")[0] for name in live if name}) or arguments.gfx
        judge_targets("pytorch", flags.split(), wanted, start)
    if judge_gpus("pytorch", seen, arguments, start):
        for device in range(seen):
            torch_kernel(torch, device, bool(hip), live[device].split(":")[0])


def torch_kernel(torch, device, is_amd, gfx):
    start, what = time.perf_counter(), f"pytorch: first kernel on GPU {device}"
    generator = torch.Generator().manual_seed(7)
    left, right = (torch.rand(256, 256, generator=generator) for _ in range(2))
    expected = left.double() @ right.double()
    found = (left.to(f"cuda:{device}") @ right.to(f"cuda:{device}")).cpu().double()
    worst = ((found - expected).abs() / expected.abs()).max().item()
    detail = f"256 x 256 matrix product, off by {worst:.1e} of its value"
    # TF32 and the like keep ten bits
    say(what, "passed" if worst < 5e-3 else "failed", "ran", detail, start, gpu=is_amd, gfx=gfx)


def jax(arguments, start):
    import jax
    import jax.numpy as numpy

    plugins = [one for one in metadata.distributions() if re.match(r"jax-rocm\d+-plugin$", one.metadata["Name"] or "")]
    cuda = [one for one in metadata.distributions() if re.match(r"jax-cuda\d+-plugin$", one.metadata["Name"] or "")]
    built = "rocm" if plugins else "cuda" if cuda else "cpu"
    said = " ".join(f"({one.metadata['Name']} {one.version})" for one in plugins + cuda)
    say("jax: version", "passed", "loaded", f"{jax.__version__} {said}".strip(), start)
    judge_build("jax", arguments.build, built, "", arguments, start)
    start = time.perf_counter()
    gpus = [device for device in jax.devices() if device.platform in ("gpu", "rocm", "cuda")]
    if judge_gpus("jax", len(gpus), arguments, start):
        for device in gpus:
            start = time.perf_counter()
            value = jax.device_put(numpy.ones((256, 256)), device)
            total = float((value @ value).sum())
            detail = f"256 x 256 matrix product on {device.device_kind}, sum {total:.0f}"
            good = total == 256.0**3
            say(f"jax: first kernel on GPU {device.id}", "passed" if good else "failed", "ran", detail, start, gpu=built == "rocm")


def tensorflow(arguments, start):
    import tensorflow

    info = tensorflow.sysconfig.get_build_info()
    built = "rocm" if info.get("is_rocm_build") else "cuda" if info.get("is_cuda_build") else "cpu"
    say("tensorflow: version", "passed", "loaded", tensorflow.__version__, start)
    judge_build("tensorflow", arguments.build, built, str(info.get("rocm_version") or ""), arguments, start)
    start = time.perf_counter()
    gpus = tensorflow.config.list_physical_devices("GPU")
    if judge_gpus("tensorflow", len(gpus), arguments, start):
        for place in range(len(gpus)):
            start = time.perf_counter()
            with tensorflow.device(f"/GPU:{place}"):
                value = tensorflow.ones((256, 256))
                total = float(tensorflow.reduce_sum(tensorflow.matmul(value, value)))
            good = total == 256.0**3
            say(f"tensorflow: first kernel on GPU {place}", "passed" if good else "failed", "ran",
                f"256 x 256 matrix product, sum {total:.0f}", start, gpu=built == "rocm")


def onnxruntime(arguments, start):
    import onnxruntime

    providers = onnxruntime.get_available_providers()
    amd = [one for one in providers if one in ("MIGraphXExecutionProvider", "ROCMExecutionProvider")]
    built = "rocm" if amd else "cuda" if "CUDAExecutionProvider" in providers else "cpu"
    say("onnxruntime: version", "passed", "loaded", f"{onnxruntime.__version__}: {' '.join(providers)}", start)
    judge_build("onnxruntime", arguments.build, built, "", arguments, start)
    if arguments.gpus == 0:
        say("onnxruntime: first kernel", "absent", None, "not run: no GPU to run it on")
    else:
        say("onnxruntime: first kernel", "skipped", None, "not run: no model is at hand")


FRAMEWORKS = {"pytorch": pytorch, "jax": jax, "tensorflow": tensorflow, "onnxruntime": onnxruntime}

# LLVM's generic targets and those that they run on (AMDGPUUsage)
GENERIC = {
    "gfx9-generic": ["gfx900", "gfx902", "gfx904", "gfx906", "gfx909", "gfx90c"],
    "gfx9-4-generic": ["gfx940", "gfx941", "gfx942", "gfx950"],
    "gfx10-1-generic": ["gfx1010", "gfx1011", "gfx1012", "gfx1013"],
    "gfx10-3-generic": [f"gfx103{number}" for number in range(7)],
    "gfx11-generic": ["gfx1100", "gfx1101", "gfx1102", "gfx1103", "gfx1150", "gfx1151", "gfx1152", "gfx1153"],
    "gfx12-generic": ["gfx1200", "gfx1201"],
}

if __name__ == "__main__":
    sys.exit(main())
