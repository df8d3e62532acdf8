"""Runs collectives over all GPUs through PyTorch and checks every number that comes back.

Prints one JSON document a line, as rocm.py does. Starts one process a GPU by itself; with --cpu N
the same over N processes on the CPU, which proves this program and nothing of a GPU.
"""

import argparse
import json
import os
import socket
import sys
import time

COUNT = 1 << 16


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gpus", type=int, default=0, help="GPUs that the driver shows")
    parser.add_argument("--cpu", type=int, help="processes on the CPU in place of GPUs")
    arguments = parser.parse_args()
    import torch

    seen = torch.cuda.device_count() if torch.cuda.is_available() else 0
    ranks = arguments.cpu or seen
    if not arguments.cpu and ranks < 2:
        missing = "absent" if arguments.gpus == 0 else "skipped"
        say("collectives", missing, None, f"not run: they need two GPUs, PyTorch sees {seen}")
        return
    import torch.multiprocessing as multiprocessing

    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", str(free_port()))
    multiprocessing.spawn(run_rank, (ranks, not arguments.cpu), nprocs=ranks)


def say(what, result, level, detail="", start=None, gpu=False):
    seconds = None if start is None else time.perf_counter() - start
    line = {"what": what, "result": result, "level": level, "detail": detail, "seconds": seconds, "gpu": gpu}
    print(json.dumps(line), flush=True)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def run_rank(rank, ranks, accelerated):
    import torch
    import torch.distributed as dist

    start = time.perf_counter()
    device = torch.device(f"cuda:{rank}" if accelerated else "cpu")
    if accelerated:
        torch.cuda.set_device(device)
    dist.init_process_group("nccl" if accelerated else "gloo", rank=rank, world_size=ranks)
    is_amd = accelerated and bool(getattr(torch.version, "hip", None))
    where = f"{ranks} {'GPUs' if accelerated else 'processes on the CPU'}"
    if rank == 0:
        say("process group", "passed", "ran", f"{where}, {dist.get_backend()}", start)
    for name, operation in OPERATIONS.items():
        start = time.perf_counter()
        wrong = torch.tensor(float(operation(torch, dist, device, rank, ranks)), device=device)
        dist.all_reduce(wrong)
        if rank == 0:
            count = int(wrong.item())
            detail = f"{where}, {COUNT} numbers each" + (f", {count} wrong" if count else ", all right")
            say(name, "failed" if count else "passed", "ran", detail, start, gpu=is_amd)
    dist.barrier()
    dist.destroy_process_group()


def own(torch, device, rank):
    return torch.full((COUNT,), float(rank + 1), device=device)


def all_reduce(torch, dist, device, rank, ranks):
    value = own(torch, device, rank)
    dist.all_reduce(value)
    return (value != ranks * (ranks + 1) / 2).sum().item()


def broadcast(torch, dist, device, rank, ranks):
    value = own(torch, device, rank)
    dist.broadcast(value, ranks - 1)
    return (value != ranks).sum().item()


def all_gather(torch, dist, device, rank, ranks):
    parts = [torch.zeros(COUNT, device=device) for _ in range(ranks)]
    dist.all_gather(parts, own(torch, device, rank))
    return sum((part != place + 1).sum().item() for place, part in enumerate(parts))


OPERATIONS = {"all_reduce": all_reduce, "broadcast": broadcast, "all_gather": all_gather}

if __name__ == "__main__":
    sys.exit(main())
