"""Trains a small network with JAX and prints steps a second."""

import argparse
import json
import time

import jax
import jax.numpy as jnp

DEFAULTS = {
    "batch_size": 256,
    "width": 1024,
}


def main():
    arguments = parse_arguments()
    device = jax.devices()[0]
    print(f"jax {jax.__version__} on {device.platform} {device.device_kind}, {jax.device_count()} device(s)")
    key = jax.random.PRNGKey(arguments.seed)
    layers = make_layers(key, arguments.width, arguments.layers)
    inputs = jax.random.normal(key, (arguments.batch_size, arguments.width))
    targets = jnp.sin(inputs)

    @jax.jit
    def step(layers):
        loss, slopes = jax.value_and_grad(loss_of)(layers, inputs, targets)
        moved = jax.tree_util.tree_map(
            lambda weight, slope: weight - arguments.learning_rate * slope, layers, slopes
        )
        return moved, loss

    layers, loss = step(layers)  # compiles
    first = float(loss)
    report = []
    for epoch in range(arguments.epochs):
        began = time.perf_counter()
        for _ in range(arguments.steps):
            layers, loss = step(layers)
        loss = float(loss)
        speed = arguments.steps / (time.perf_counter() - began)
        report.append({"epoch": epoch + 1, "steps_per_second": speed, "loss": loss})
        print(f"epoch {epoch + 1}/{arguments.epochs}: {speed:.1f} steps/s, loss {loss:.4f}, "
              f"learning rate {arguments.learning_rate:g}", flush=True)
    if not loss < first:
        raise SystemExit(f"the loss did not fall: {first:.4f} -> {loss:.4f}")
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump({"device": device.device_kind, "epochs": report}, file, indent=2)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--batch-size", type=int, default=DEFAULTS["batch_size"])
    parser.add_argument("--width", type=int, default=DEFAULTS["width"])
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--learning-rate", type=float, default=0.05)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", help="write the figures to this file as well")
    return parser.parse_args()


def make_layers(key, width, count):
    keys = jax.random.split(key, count)
    return [jax.random.normal(part, (width, width)) / jnp.sqrt(width) for part in keys]


def loss_of(layers, inputs, targets):
    states = inputs
    for layer in layers[:-1]:
        states = jnp.tanh(states @ layer)
    return jnp.mean((states @ layers[-1] - targets) ** 2)


if __name__ == "__main__":
    main()
