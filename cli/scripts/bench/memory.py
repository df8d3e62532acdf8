"""Times copies between host and device and within a device, through PyTorch.

Prints one JSON document to standard output: for each direction and size the seconds of
each sample. A sample repeats the copy until it takes long enough to be timed and divides
by the repeats. Nothing is summed up here: medians and spread are the reader's work.

Within a device a small copy takes less time than Python needs to ask for it. Such copies
are recorded in a graph and replayed together where the build can do so; `launched` says
which it was. Large ones are launched one by one: a graph may hand them to a slower engine.

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
COPIES_A_GRAPH = 50
SHORT_SECONDS = 30e-6  # a few times what a launch from Python takes


def main():
    arguments = parse_arguments()
    device = pick_device(arguments.device)
    rows = []
    for size in arguments.sizes:
        for direction, traffic, copy in directions(device, size):
            launched, run, copies = recorded(device, direction, copy)
            samples = time_copies(device, run, copies, arguments.samples)
            rows.append(
                {
                    "direction": direction,
                    "bytes": size,
                    "traffic": traffic,
                    "launched": launched,
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


def recorded(device, direction, copy):
    """How a copy is launched, what to call for it, and how many copies a call makes."""
    copy()
    synchronize(device)
    if device.type != "cuda" or direction != "device-to-device":
        return "one by one", copy, 1
    if repeat(device, copy, COPIES_A_GRAPH) > SHORT_SECONDS:
        return "one by one", copy, 1
    graph = torch.cuda.CUDAGraph()
    try:
        with torch.cuda.graph(graph):
            for _ in range(COPIES_A_GRAPH):
                copy()
        graph.replay()
        synchronize(device)
    except RuntimeError as error:
        print(f"no graph of copies: {str(error).splitlines()[0]}", file=sys.stderr)
        return "one by one", copy, 1
    return "as a graph", graph.replay, COPIES_A_GRAPH


def time_copies(device, run, copies, samples):
    """Seconds a copy, for each sample."""
    once = repeat(device, run, 3)
    repeats = max(1, min(MOST_REPEATS, int(SAMPLE_SECONDS / max(once, 1e-9))))
    repeat(device, run, repeats)
    return [repeat(device, run, repeats) / copies for _ in range(samples)]


def repeat(device, run, repeats):
    """Seconds a call, by the device's own clock where it has one."""
    if device.type == "cuda":
        begin = torch.cuda.Event(enable_timing=True)
        end = torch.cuda.Event(enable_timing=True)
        begin.record()
        for _ in range(repeats):
            run()
        end.record()
        end.synchronize()
        return begin.elapsed_time(end) / 1e3 / repeats
    begin = time.perf_counter()
    for _ in range(repeats):
        run()
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
