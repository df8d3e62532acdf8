"""Times copies between host and device and within a device, through PyTorch.

Prints one JSON document to standard output: for each direction and size the seconds of
each sample. A sample repeats the copy until it takes long enough to be timed and divides
by the repeats. Nothing is summed up here: medians and spread are the reader's work.

A device-to-device copy of N bytes reads N and writes N; `bytes` is N, `traffic` is what
crossed the memory's bus.
"""

import argparse
import json
import sys
import time

import torch

MIB = 1 << 20
SAMPLE_SECONDS = 0.02
MOST_REPEATS = 2000


def main():
    arguments = parse_arguments()
    device = pick_device(arguments.device)
    rows = []
    for size in arguments.sizes:
        for direction, traffic, copy in directions(device, size):
            samples = time_copy(device, copy, arguments.samples)
            rows.append(
                {
                    "direction": direction,
                    "bytes": size,
                    "traffic": traffic,
                    "seconds": samples,
                }
            )
            print(f"{direction} {size} bytes: {min(samples):.3e} s", file=sys.stderr)
    json.dump({"bench": "memory", "environment": describe(device), "rows": rows}, sys.stdout)
    print()


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", help="a torch device; the first accelerator by default")
    parser.add_argument("--samples", type=int, default=11)
    parser.add_argument(
        "--sizes",
        type=lambda text: [int(part) for part in text.split(",")],
        default=[MIB << shift for shift in range(0, 11, 2)],
        help="bytes, separated by commas; 1 MiB to 1 GiB by default",
    )
    return parser.parse_args()


def pick_device(asked):
    if asked:
        return torch.device(asked)
    if torch.cuda.is_available():  # ROCm builds answer here, too
        return torch.device("cuda:0")
    if hasattr(torch, "xpu") and torch.xpu.is_available():
        return torch.device("xpu:0")
    return torch.device("cpu")


def directions(device, size):
    """Yields direction, bytes moved over the memory's bus, and the copy itself."""
    if device.type == "cpu":
        source = torch.ones(size, dtype=torch.uint8)
        target = torch.empty_like(source)
        yield "host-to-host", 2 * size, lambda: target.copy_(source)
        return
    host = torch.ones(size, dtype=torch.uint8).pin_memory()
    near = torch.ones(size, dtype=torch.uint8, device=device)
    far = torch.empty_like(near)
    yield "host-to-device", size, lambda: near.copy_(host, non_blocking=True)
    yield "device-to-host", size, lambda: host.copy_(near, non_blocking=True)
    yield "device-to-device", 2 * size, lambda: far.copy_(near, non_blocking=True)


def time_copy(device, copy, samples):
    copy()
    synchronize(device)
    once = repeat_copy(device, copy, 3)
    repeats = max(1, min(MOST_REPEATS, int(SAMPLE_SECONDS / max(once, 1e-9))))
    repeat_copy(device, copy, repeats)
    return [repeat_copy(device, copy, repeats) for _ in range(samples)]


def repeat_copy(device, copy, repeats):
    """Seconds a copy, by the device's own clock where it has one."""
    if device.type == "cuda":
        begin = torch.cuda.Event(enable_timing=True)
        end = torch.cuda.Event(enable_timing=True)
        begin.record()
        for _ in range(repeats):
            copy()
        end.record()
        end.synchronize()
        return begin.elapsed_time(end) / 1e3 / repeats
    begin = time.perf_counter()
    for _ in range(repeats):
        copy()
    synchronize(device)
    return (time.perf_counter() - begin) / repeats


def synchronize(device):
    if device.type != "cpu":
        getattr(torch, device.type).synchronize(device)


def describe(device):
    """What the figures depend on, beside the hardware itself."""
    name = "cpu"
    if device.type != "cpu":
        name = getattr(torch, device.type).get_device_name(device)
    return {
        "torch": torch.__version__,
        "hip": getattr(torch.version, "hip", None),
        "cuda": torch.version.cuda,
        "device": name,
        "devices": 1,
    }


if __name__ == "__main__":
    main()
