"""Trains a Llama-shaped model over all GPUs and prints tokens a second a GPU.

Start it with torchrun, one process a GPU:

    torchrun --standalone --nproc-per-node GPUS train.py --model 1b

Weights are random and tokens synthetic unless `--data FILE` names a file of 16-bit token
numbers. First rank 0 trains some steps alone, then all ranks train together: the ratio is
the scaling. The time in collectives is read from one profiled step.
"""

import argparse
import contextlib
import json
import os
import time

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

from model import SHAPES, Block, Decoder

# What guides claim. Shown beside the measured figure, never in its place.
CLAIM = "guides claim 256 tokens/s a GPU on four Instinct MI300X (unverified)"

DEFAULTS = {
    "model": "125m",
    "batch_size": 8,
    "length": 1024,
}


def main():
    arguments = parse_arguments()
    rank, ranks, local = (int(os.environ.get(name, default)) for name, default in
                          (("RANK", 0), ("WORLD_SIZE", 1), ("LOCAL_RANK", 0)))
    device = pick_device(local)
    torch.manual_seed(arguments.seed)
    if ranks > 1:
        dist.init_process_group("nccl" if device.type == "cuda" else "gloo")
    shape = SHAPES[arguments.model]
    say(rank, f"{arguments.model}: {shape.parameters() / 1e6:.1f} million parameters, {ranks} rank(s), "
              f"{device_name(device)}")
    alone = speed_alone(arguments, shape, device, rank, ranks)
    model = Decoder(shape, arguments.checkpoint).to(device)
    model = spread(model, arguments, device, local, ranks)
    optimizer = torch.optim.AdamW(model.parameters(), lr=arguments.learning_rate)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1.0, (step + 1) / max(1, arguments.warm_up))
    )
    tokens = Tokens(arguments, shape, device, rank)
    report = train(model, optimizer, schedule, tokens, arguments, device, rank, ranks)
    report["collectives_share"] = share_of_collectives(
        model, optimizer, tokens, arguments, device, ranks
    )
    if rank == 0:
        finish(report, alone, arguments)
    if ranks > 1:
        dist.barrier()
        dist.destroy_process_group()


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", choices=sorted(SHAPES), default=DEFAULTS["model"])
    parser.add_argument("--data", help="a file of unsigned 16-bit token numbers; synthetic without")
    parser.add_argument("--batch-size", type=int, default=DEFAULTS["batch_size"],
                        help="sequences a GPU in one forward pass")
    parser.add_argument("--length", type=int, default=DEFAULTS["length"], help="tokens a sequence")
    parser.add_argument("--accumulate", type=int, default=1, help="forward passes a step")
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--steps", type=int, default=20, help="optimizer steps an epoch")
    parser.add_argument("--warm-up", type=int, default=3, help="steps that are not timed")
    parser.add_argument("--learning-rate", type=float, default=3e-4)
    parser.add_argument("--type", choices=["bfloat16", "float32"], default="bfloat16")
    parser.add_argument("--shard", action="store_true",
                        help="split weights and optimizer over the GPUs (FSDP) when one cannot hold them")
    parser.add_argument("--checkpoint", action="store_true", help="recompute activations")
    parser.add_argument("--no-alone", action="store_true", help="skip the steps of rank 0 alone")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", help="write the figures to this file as well")
    return parser.parse_args()


def pick_device(local):
    if torch.cuda.is_available():  # ROCm builds answer here, too
        torch.cuda.set_device(local)
        return torch.device("cuda", local)
    return torch.device("cpu")


class Tokens:
    """Batches of (inputs, targets), each rank its own."""

    def __init__(self, arguments, shape, device, rank):
        self.size = (arguments.batch_size, arguments.length + 1)
        self.vocabulary, self.device = shape.vocabulary, device
        self.maker = torch.Generator().manual_seed(arguments.seed + rank)
        self.stored = None
        if arguments.data:
            with open(arguments.data, "rb") as file:
                self.stored = torch.frombuffer(bytearray(file.read()), dtype=torch.int16)
            if len(self.stored) <= self.size[1]:
                raise SystemExit(f"{arguments.data} holds fewer tokens than one sequence")

    def next(self):
        if self.stored is None:
            rows = torch.randint(self.vocabulary, self.size, generator=self.maker)
        else:
            starts = torch.randint(len(self.stored) - self.size[1], (self.size[0],), generator=self.maker)
            rows = torch.stack([self.stored[start:start + self.size[1]] for start in starts])
            rows = (rows.long() & 0xFFFF) % self.vocabulary
        rows = rows.to(self.device, non_blocking=True)
        return rows[:, :-1], rows[:, 1:]


def spread(model, arguments, device, local, ranks):
    if ranks == 1:
        return model
    if arguments.shard:
        from torch.distributed.fsdp import FullyShardedDataParallel
        from torch.distributed.fsdp.wrap import ModuleWrapPolicy

        return FullyShardedDataParallel(
            model, auto_wrap_policy=ModuleWrapPolicy({Block}), use_orig_params=True, device_id=local
        )
    return DistributedDataParallel(model, device_ids=[local] if device.type == "cuda" else None)


def speed_alone(arguments, shape, device, rank, ranks):
    """Tokens a second of one GPU by itself; None where it was not run."""
    if ranks == 1 or arguments.no_alone or arguments.shard:
        return None
    speed = None
    if rank == 0:
        model = Decoder(shape, arguments.checkpoint).to(device)
        optimizer = torch.optim.AdamW(model.parameters(), lr=arguments.learning_rate)
        tokens = Tokens(arguments, shape, device, rank)
        for _ in range(arguments.warm_up):
            one_step(model, optimizer, tokens, arguments, device)
        synchronize(device)
        began = time.perf_counter()
        for _ in range(arguments.steps):
            one_step(model, optimizer, tokens, arguments, device)
        synchronize(device)
        speed = tokens_a_step(arguments) * arguments.steps / (time.perf_counter() - began)
        del model, optimizer
        if device.type == "cuda":
            torch.cuda.empty_cache()
    dist.barrier()
    return speed


def train(model, optimizer, schedule, tokens, arguments, device, rank, ranks):
    epochs = []
    for epoch in range(arguments.epochs):
        for _ in range(arguments.warm_up if epoch == 0 else 0):
            one_step(model, optimizer, tokens, arguments, device)
            schedule.step()
        synchronize(device)
        began = time.perf_counter()
        loss = None
        for _ in range(arguments.steps):
            loss = one_step(model, optimizer, tokens, arguments, device)
            schedule.step()
        synchronize(device)
        seconds = time.perf_counter() - began
        entry = {
            "epoch": epoch + 1,
            "tokens_per_second_per_gpu": tokens_a_step(arguments) * arguments.steps / seconds,
            "loss": loss.item(),
            "learning_rate": schedule.get_last_lr()[0],
            "memory_bytes": torch.cuda.max_memory_reserved(device) if device.type == "cuda" else None,
        }
        epochs.append(entry)
        say(rank, line_of(entry, arguments.epochs))
    return {"ranks": ranks, "device": device_name(device), "epochs": epochs}


def one_step(model, optimizer, tokens, arguments, device):
    kind = getattr(torch, arguments.type)
    loss = None
    for part in range(arguments.accumulate):
        # Gradients are summed over the ranks once a step, not once a forward pass.
        last = part + 1 == arguments.accumulate
        quiet = contextlib.nullcontext() if last or not hasattr(model, "no_sync") else model.no_sync()
        inputs, targets = tokens.next()
        with quiet:
            with torch.autocast(device.type, dtype=kind, enabled=kind is not torch.float32):
                logits = model(inputs)
            loss = nn.functional.cross_entropy(logits.flatten(0, 1).float(), targets.flatten())
            (loss / arguments.accumulate).backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    return loss.detach()


def share_of_collectives(model, optimizer, tokens, arguments, device, ranks):
    """Device time of collective kernels against the step's time; None where nothing shows it.

    Kernels overlap, so that a share does not say how much shorter a step would be.
    """
    if ranks == 1 or device.type != "cuda":
        return None
    activities = [torch.profiler.ProfilerActivity.CPU, torch.profiler.ProfilerActivity.CUDA]
    with torch.profiler.profile(activities=activities) as profile:
        began = time.perf_counter()
        one_step(model, optimizer, tokens, arguments, device)
        synchronize(device)
        seconds = time.perf_counter() - began
    busy = 0.0
    for event in profile.events():
        if event.device_type == torch.autograd.DeviceType.CUDA and "nccl" in event.name.lower():
            busy += event.time_range.elapsed_us() / 1e6
    return busy / seconds


def finish(report, alone, arguments):
    best = max(entry["tokens_per_second_per_gpu"] for entry in report["epochs"])
    report["alone_tokens_per_second"] = alone
    report["scaling"] = best / alone if alone else None
    share = report["collectives_share"]
    print(f"{best:.0f} tokens/s a GPU on {report['ranks']} x {report['device']}; {CLAIM}")
    print("scaling against one GPU: " + (f"{report['scaling']:.1%}" if alone else "not measured"))
    print("time in collectives: " + ("not known" if share is None else f"{share:.1%} of a step"))
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump(report, file, indent=2)


def tokens_a_step(arguments):
    return arguments.batch_size * arguments.length * arguments.accumulate


def synchronize(device):
    if device.type == "cuda":
        torch.cuda.synchronize(device)


def device_name(device):
    return torch.cuda.get_device_name(device) if device.type == "cuda" else "the CPU"


def say(rank, text):
    if rank == 0:
        print(text, flush=True)


def line_of(entry, epochs):
    memory = entry["memory_bytes"]
    return (
        f"epoch {entry['epoch']}/{epochs}: {entry['tokens_per_second_per_gpu']:.0f} tokens/s a GPU, "
        f"loss {entry['loss']:.3f}, learning rate {entry['learning_rate']:.2e}, "
        f"GPU memory {'not known' if memory is None else f'{memory / 2**30:.2f} GiB'}"
    )


if __name__ == "__main__":
    main()
