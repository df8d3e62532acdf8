"""Times square matrix products by number type, through PyTorch.

Prints one JSON document to standard output: for each type and size the seconds of each
sample. A product of two N x N matrices counts as 2 N^3 operations. A type that the device
or this build of PyTorch cannot multiply is listed under `left_out` with its own words.
"""

import argparse
import json
import sys
import time

import torch

SAMPLE_SECONDS = 0.05
MOST_REPEATS = 500
TYPES = ["float32", "float16", "bfloat16", "float8_e4m3fn", "float8_e4m3fnuz"]


def main():
    arguments = parse_arguments()
    device = pick_device(arguments.device)
    rows, left_out = [], []
    for name in arguments.types:
        for size in arguments.sizes:
            try:
                samples = time_product(device, name, size, arguments.samples)
            except (RuntimeError, AttributeError, TypeError, ValueError) as error:
                left_out.append({"type": name, "size": size, "reason": first_line(error)})
                break
            rows.append(
                {"type": name, "size": size, "operations": 2 * size**3, "seconds": samples}
            )
            rate = 2 * size**3 / min(samples) / 1e12
            print(f"{name} {size}: {rate:.2f} TFLOP/s", file=sys.stderr)
    document = {
        "bench": "matmul",
        "environment": describe(device),
        "rows": rows,
        "left_out": left_out,
    }
    json.dump(document, sys.stdout)
    print()


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", help="a torch device; the first accelerator by default")
    parser.add_argument("--samples", type=int, default=11)
    parser.add_argument("--types", type=lambda text: text.split(","), default=TYPES)
    parser.add_argument(
        "--sizes",
        type=lambda text: [int(part) for part in text.split(",")],
        default=[1024, 2048, 4096, 8192],
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


def time_product(device, name, size, samples):
    product = make_product(device, name, size)
    product()
    synchronize(device)
    once = repeat(device, product, 1)
    repeats = max(1, min(MOST_REPEATS, int(SAMPLE_SECONDS / max(once, 1e-9))))
    repeat(device, product, repeats)
    return [repeat(device, product, repeats) for _ in range(samples)]


def make_product(device, name, size):
    """Random values: on zeros the same device is faster, because it draws less power."""
    kind = getattr(torch, name)
    left = torch.randn(size, size, device=device)
    right = torch.randn(size, size, device=device)
    if name.startswith("float8"):
        if device.type == "cpu":
            raise RuntimeError("not timed on a CPU")
        one = torch.ones((), device=device)
        left, right = left.to(kind), right.to(kind).t().contiguous().t()
        return lambda: torch._scaled_mm(
            left, right, scale_a=one, scale_b=one, out_dtype=torch.bfloat16
        )
    left, right = left.to(kind), right.to(kind)
    return lambda: left @ right


def repeat(device, work, repeats):
    if device.type == "cuda":
        begin = torch.cuda.Event(enable_timing=True)
        end = torch.cuda.Event(enable_timing=True)
        begin.record()
        for _ in range(repeats):
            work()
        end.record()
        end.synchronize()
        return begin.elapsed_time(end) / 1e3 / repeats
    begin = time.perf_counter()
    for _ in range(repeats):
        work()
    synchronize(device)
    return (time.perf_counter() - begin) / repeats


def synchronize(device):
    if device.type != "cpu":
        getattr(torch, device.type).synchronize(device)


def describe(device):
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


def first_line(error):
    return (str(error).strip() or type(error).__name__).splitlines()[0]


if __name__ == "__main__":
    main()
