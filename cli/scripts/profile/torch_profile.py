"""Runs a Python program under torch.profiler and writes what its time went into.

    torch_profile.py OUT.json PROGRAM [ARGUMENT...]

The program runs in this very process, as `__main__`. What it prints stays its own; the
report goes to OUT.json: kernels with their device seconds and calls, the window in which
the device was measured, its busy seconds (overlapping kernels counted once), copies,
collectives, and the share of host time spent waiting for input, where PyTorch's data loader
shows it.
"""

import json
import runpy
import sys
import threading
import time

import torch
from torch.profiler import ProfilerActivity, profile

SAMPLE_SECONDS = 0.5


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    out, program = sys.argv[1], sys.argv[2]
    sys.argv = sys.argv[2:]
    sys.path[0] = program.rpartition("/")[0] or "."
    accelerated = torch.cuda.is_available()
    activities = [ProfilerActivity.CPU]
    if accelerated:
        activities.append(ProfilerActivity.CUDA)
    sampler = Sampler(accelerated)
    code = 0
    began = time.perf_counter()
    with profile(activities=activities) as recorded, sampler:
        try:
            runpy.run_path(program, run_name="__main__")
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else int(stop.code is not None)
        if accelerated:
            torch.cuda.synchronize()
    seconds = time.perf_counter() - began
    report = make_report(recorded, seconds, accelerated)
    report |= {"exit_code": code, "samples": sampler.readings}
    with open(out, "w", encoding="utf-8") as file:
        json.dump(report, file)
    sys.exit(code)


class Sampler:
    """Reads temperature, power and memory now and then; what cannot be read is left out."""

    def __init__(self, accelerated):
        self.accelerated = accelerated
        self.readings = []
        self.stop = threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)

    def __enter__(self):
        if self.accelerated:
            self.thread.start()

    def __exit__(self, *_):
        self.stop.set()
        if self.accelerated:
            self.thread.join()

    def run(self):
        while not self.stop.wait(SAMPLE_SECONDS):
            reading = {"memory_bytes": torch.cuda.memory_reserved()}
            for name, read, scale in (
                ("temperature_celsius", "temperature", 1.0),
                ("power_watts", "power_draw", 1e-3),
                ("busy_percent", "utilization", 1.0),
            ):
                try:
                    reading[name] = getattr(torch.cuda, read)() * scale
                except Exception:  # no management library: the figure is not known
                    continue
            self.readings.append(reading)


def make_report(recorded, seconds, accelerated):
    spans, totals = [], {}
    waiting = 0.0
    for event in recorded.events():
        if event.device_type == torch.autograd.DeviceType.CUDA:
            if event.name in ("Context Sync", "Stream Sync", "Event Sync") or is_annotation(event):
                continue
            begin, end = event.time_range.start, event.time_range.end
            spans.append((begin, end))
            entry = totals.setdefault(event.name, [0.0, 0])
            entry[0] += (end - begin) / 1e6
            entry[1] += 1
        elif "DataLoader" in event.name and "__next__" in event.name:
            waiting += event.time_range.elapsed_us() / 1e6
    if not accelerated:
        for entry in recorded.key_averages():
            totals[entry.key] = [entry.self_cpu_time_total / 1e6, entry.count]
    window = (max(end for _, end in spans) - min(begin for begin, _ in spans)) / 1e6 if spans else None
    kernels = [
        {"name": name, "kind": kind_of(name), "seconds": total, "calls": calls}
        for name, (total, calls) in sorted(totals.items(), key=lambda item: -item[1][0])
    ]
    return {
        "profiler": "torch",
        "torch": torch.__version__,
        "hip": getattr(torch.version, "hip", None),
        "device": torch.cuda.get_device_name() if accelerated else "cpu",
        "seconds": seconds,
        "device_window_seconds": window,
        "device_busy_seconds": covered(spans) / 1e6 if spans else None,
        "input_wait_seconds": waiting,
        "peak_memory_bytes": torch.cuda.max_memory_reserved() if accelerated else None,
        "kernels": kernels,
    }


def is_annotation(event):
    """Ranges that programs mark by hand appear on the device's line, too."""
    return getattr(event, "is_user_annotation", False) or event.name.startswith(("ProfilerStep", "## "))


def covered(spans):
    """Length of the union of spans."""
    total, reached = 0.0, float("-inf")
    for begin, end in sorted(spans):
        total += max(0.0, end - max(begin, reached))
        reached = max(reached, end)
    return total


def kind_of(name):
    low = name.lower()
    if low.startswith(("memcpy", "memset")) or "copybuffer" in low or "fillbuffer" in low:
        return "copy"
    if "nccl" in low or "rccl" in low:
        return "collective"
    if any(part in low for part in ("gemm", "conv", "cijk_", "xmma", "cutlass", "attention", "flash", "fmha", "matmul", "addmm")):
        return "compute"
    return "memory"


if __name__ == "__main__":
    main()
