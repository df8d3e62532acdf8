"""Trains ResNet-50 on one GPU and prints images a second and the memory used.

Without `--data` it runs on synthetic images made on the device, so that the figure is the
model's speed and not a disk's. With `--data FOLDER` it reads a folder of class folders.
Runs on any device that this PyTorch knows.
"""

import argparse
import glob
import json
import sys
import time

import torch
from torch import nn
from torch.utils.data import DataLoader

try:
    import torchvision
except ImportError:
    sys.exit("this needs torchvision: run `rocmenv lock && rocmenv sync`")

# What guides claim. Shown beside the measured figure, never in its place.
CLAIM = "guides claim 800 images/s on a Radeon RX 7900 XTX (unverified)"

DEFAULTS = {
    "batch_size": 32,
    "workers": 4,
}


def main():
    arguments = parse_arguments()
    device = pick_device(arguments.device)
    torch.manual_seed(arguments.seed)
    torch.backends.cudnn.benchmark = True  # MIOpen's find step on ROCm
    model = torchvision.models.resnet50(weights=None, num_classes=arguments.classes)
    model = model.to(device, memory_format=torch.channels_last)
    if arguments.compile:
        model = torch.compile(model)
    optimizer = torch.optim.SGD(
        model.parameters(), lr=arguments.learning_rate, momentum=0.9, weight_decay=1e-4
    )
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, max(1, arguments.epochs))
    batches = make_batches(arguments, device)
    report = {"device": device_name(device), "batch_size": arguments.batch_size, "epochs": []}
    for epoch in range(arguments.epochs):
        entry = train_epoch(model, optimizer, batches, device, arguments)
        entry |= {"epoch": epoch + 1, "learning_rate": schedule.get_last_lr()[0]}
        schedule.step()
        report["epochs"].append(entry)
        print(line_of(entry, arguments.epochs), flush=True)
    best = max((entry["images_per_second"] for entry in report["epochs"]), default=0.0)
    print(f"{best:.1f} images/s on {report['device']}; {CLAIM}")
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump(report, file, indent=2)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", help="a folder of class folders with images; synthetic without")
    parser.add_argument("--device", help="a torch device; the first accelerator by default")
    parser.add_argument("--batch-size", type=int, default=DEFAULTS["batch_size"])
    parser.add_argument("--workers", type=int, default=DEFAULTS["workers"])
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--steps", type=int, default=100, help="steps an epoch on synthetic data")
    parser.add_argument("--warm-up", type=int, default=5, help="steps that are not timed")
    parser.add_argument("--image-size", type=int, default=224)
    parser.add_argument("--classes", type=int, default=1000)
    parser.add_argument("--learning-rate", type=float, default=0.1)
    parser.add_argument("--type", choices=["bfloat16", "float32"], default="bfloat16")
    parser.add_argument("--compile", action="store_true", help="use torch.compile")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", help="write the figures to this file as well")
    return parser.parse_args()


def pick_device(asked):
    if asked:
        return torch.device(asked)
    if torch.cuda.is_available():  # ROCm builds answer here, too
        return torch.device("cuda:0")
    if hasattr(torch, "xpu") and torch.xpu.is_available():
        return torch.device("xpu:0")
    print("no GPU is visible to this PyTorch: running on the CPU", file=sys.stderr)
    return torch.device("cpu")


def make_batches(arguments, device):
    """A callable that gives the batches of one epoch."""
    if arguments.data is None:
        return lambda: synthetic(arguments, device)
    transforms = torchvision.transforms
    steps = transforms.Compose(
        [
            transforms.RandomResizedCrop(arguments.image_size),
            transforms.RandomHorizontalFlip(),
            transforms.ToTensor(),
            transforms.Normalize((0.485, 0.456, 0.406), (0.229, 0.224, 0.225)),
        ]
    )
    data = torchvision.datasets.ImageFolder(arguments.data, steps)
    loader = DataLoader(
        data,
        batch_size=arguments.batch_size,
        shuffle=True,
        drop_last=len(data) >= arguments.batch_size,
        num_workers=arguments.workers,
        pin_memory=device.type != "cpu",
        persistent_workers=arguments.workers > 0,
    )
    return lambda: iter(loader)


def synthetic(arguments, device):
    shape = (arguments.batch_size, 3, arguments.image_size, arguments.image_size)
    images = torch.randn(shape, device=device)
    labels = torch.randint(arguments.classes, (arguments.batch_size,), device=device)
    for _ in range(arguments.steps + arguments.warm_up):
        yield images, labels


def train_epoch(model, optimizer, batches, device, arguments):
    kind = getattr(torch, arguments.type)
    measure = nn.CrossEntropyLoss()
    model.train()
    images_seen, began, loss, busy = 0, time.perf_counter(), None, []
    for step, (images, labels) in enumerate(batches()):
        if step == arguments.warm_up:
            synchronize(device)
            images_seen, began = 0, time.perf_counter()
        images = images.to(device, non_blocking=True, memory_format=torch.channels_last)
        labels = labels.to(device, non_blocking=True)
        with torch.autocast(device.type, dtype=kind, enabled=kind is not torch.float32):
            loss = measure(model(images), labels)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        images_seen += images.shape[0]
        if step % 20 == 10:
            busy.append(busy_percent(device))
    synchronize(device)
    seconds = time.perf_counter() - began
    return {
        "images_per_second": images_seen / seconds,
        "loss": float("nan") if loss is None else loss.item(),
        "memory_bytes": memory_bytes(device),
        "busy_percent": mean_of_known(busy),
    }


def synchronize(device):
    if device.type != "cpu":
        getattr(torch, device.type).synchronize(device)


def memory_bytes(device):
    if device.type == "cpu":
        return None
    return getattr(torch, device.type).max_memory_reserved(device)


def busy_percent(device):
    """What the driver says of the GPU's use; None where nothing says it."""
    if device.type != "cuda":
        return None
    if torch.version.hip:
        readings = []
        for path in glob.glob("/sys/class/drm/card*/device/gpu_busy_percent"):
            with open(path, encoding="ascii") as file:
                readings.append(int(file.read()))
        return max(readings) if readings else None
    try:
        return torch.cuda.utilization(device)
    except Exception:  # a missing management library is no reason to stop a training
        return None


def mean_of_known(readings):
    known = [reading for reading in readings if reading is not None]
    return sum(known) / len(known) if known else None


def device_name(device):
    return "the CPU" if device.type == "cpu" else getattr(torch, device.type).get_device_name(device)


def line_of(entry, epochs):
    memory, busy = entry["memory_bytes"], entry["busy_percent"]
    return (
        f"epoch {entry['epoch']}/{epochs}: {entry['images_per_second']:.1f} images/s, "
        f"loss {entry['loss']:.3f}, learning rate {entry['learning_rate']:.4f}, "
        f"GPU memory {'not known' if memory is None else f'{memory / 2**30:.2f} GiB'}, "
        f"GPU busy {'not known' if busy is None else f'{busy:.0f} %'}"
    )


if __name__ == "__main__":
    main()
