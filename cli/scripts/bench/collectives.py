"""Times collective operations over all devices of this machine, through PyTorch.

Starts one process a device by itself. Prints one JSON document to standard output: for each
operation and size the seconds of each sample, the mean over the ranks. `bytes` and `factor`
are those of rccl-tests (its PERFORMANCE.md): algorithm bandwidth = bytes / seconds, bus
bandwidth = algorithm bandwidth * factor, with n ranks 2(n-1)/n for all_reduce, (n-1)/n for
all_gather and reduce_scatter (bytes is the whole, n times a rank's part), 1 for broadcast.
"""

import argparse
import json
import os
import socket
import sys
import time

import torch
import torch.distributed as dist
import torch.multiprocessing as multiprocessing

SAMPLE_SECONDS = 0.05
MOST_REPEATS = 500
OPERATIONS = ["all_reduce", "all_gather", "reduce_scatter", "broadcast"]


def main():
    arguments = parse_arguments()
    accelerated = torch.cuda.is_available()
    ranks = arguments.ranks or (torch.cuda.device_count() if accelerated else 2)
    if accelerated and ranks > torch.cuda.device_count():
        sys.exit(f"{ranks} ranks asked for, {torch.cuda.device_count()} devices there")
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", str(free_port()))
    multiprocessing.spawn(run_rank, (ranks, accelerated, arguments), nprocs=ranks)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ranks", type=int, help="processes; one a device by default")
    parser.add_argument("--samples", type=int, default=7)
    parser.add_argument("--operations", type=lambda text: text.split(","), default=OPERATIONS)
    parser.add_argument(
        "--sizes",
        type=lambda text: [int(part) for part in text.split(",")],
        default=[1024 << shift for shift in range(0, 21, 2)],
        help="bytes, separated by commas; 1 KiB to 1 GiB by default",
    )
    return parser.parse_args()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def run_rank(rank, ranks, accelerated, arguments):
    device = torch.device(f"cuda:{rank}" if accelerated else "cpu")
    start_group(device, rank, ranks)
    rows, left_out = [], []
    for name in arguments.operations:
        for size in arguments.sizes:
            try:
                samples = time_operation(name, size, device, ranks, arguments.samples)
            except (RuntimeError, ValueError, NotImplementedError) as error:
                left_out.append({"operation": name, "reason": first_line(error)})
                break
            if rank == 0:
                rows.append(row(name, size, ranks, samples))
                print(f"{name} {size} bytes: {min(samples):.3e} s", file=sys.stderr)
    if rank == 0:
        document = {
            "bench": "collectives",
            "environment": describe(device, ranks),
            "rows": rows,
            "left_out": left_out,
        }
        json.dump(document, sys.stdout)
        print(flush=True)
    dist.barrier()
    dist.destroy_process_group()


def start_group(device, rank, ranks):
    if device.type == "cpu":
        dist.init_process_group("gloo", rank=rank, world_size=ranks)
        return
    torch.cuda.set_device(device)
    try:
        dist.init_process_group("nccl", rank=rank, world_size=ranks, device_id=device)
    except TypeError:  # PyTorch before 2.3 takes no device
        dist.init_process_group("nccl", rank=rank, world_size=ranks)


def row(name, size, ranks, samples):
    factors = {
        "all_reduce": 2 * (ranks - 1) / ranks,
        "all_gather": (ranks - 1) / ranks,
        "reduce_scatter": (ranks - 1) / ranks,
        "broadcast": 1.0,
    }
    return {"operation": name, "bytes": size, "factor": factors[name], "seconds": samples}


def time_operation(name, size, device, ranks, samples):
    operation = make_operation(name, size, device, ranks)
    operation()
    once = repeat(device, operation, 3)
    repeats = torch.tensor(max(1, min(MOST_REPEATS, int(SAMPLE_SECONDS / max(once, 1e-9)))))
    repeats = agree(repeats.to(device))
    repeat(device, operation, repeats)
    return [mean_over_ranks(repeat(device, operation, repeats), device, ranks) for _ in range(samples)]


def make_operation(name, size, device, ranks):
    count = max(ranks, size // 4 // ranks * ranks)
    whole = torch.ones(count, dtype=torch.float32, device=device)
    part = torch.ones(count // ranks, dtype=torch.float32, device=device)
    if name == "all_reduce":
        return lambda: dist.all_reduce(whole)
    if name == "broadcast":
        return lambda: dist.broadcast(whole, 0)
    if name == "all_gather":
        if device.type == "cpu":
            parts = list(whole.chunk(ranks))
            return lambda: dist.all_gather(parts, part)
        return lambda: dist.all_gather_into_tensor(whole, part)
    if name == "reduce_scatter":
        return lambda: dist.reduce_scatter_tensor(part, whole)
    raise ValueError(f"no collective is called {name}")


def repeat(device, operation, repeats):
    """Seconds an operation on this rank, begun together by all ranks."""
    dist.barrier()
    synchronize(device)
    begin = time.perf_counter()
    for _ in range(repeats):
        operation()
    synchronize(device)
    return (time.perf_counter() - begin) / repeats


def agree(repeats):
    """Ranks that repeat differently often would wait for each other for ever."""
    dist.broadcast(repeats, 0)
    return int(repeats.item())


def mean_over_ranks(seconds, device, ranks):
    total = torch.tensor(seconds, dtype=torch.float64, device=device)
    dist.all_reduce(total)
    return total.item() / ranks


def synchronize(device):
    if device.type == "cuda":
        torch.cuda.synchronize(device)


def describe(device, ranks):
    return {
        "torch": torch.__version__,
        "hip": getattr(torch.version, "hip", None),
        "cuda": torch.version.cuda,
        "device": torch.cuda.get_device_name(device) if device.type == "cuda" else "cpu",
        "devices": ranks,
        "backend": dist.get_backend(),
    }


def first_line(error):
    return (str(error).strip() or type(error).__name__).splitlines()[0]


if __name__ == "__main__":
    main()
