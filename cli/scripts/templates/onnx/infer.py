"""Runs a model with ONNX Runtime and prints inferences a second.

Without `--model FILE` it makes a small network of matrix products by itself.
"""

import argparse
import json
import statistics
import time

import numpy
import onnxruntime

DEFAULTS = {
    "batch_size": 32,
    "width": 1024,
}

# The order in which providers are tried. ROCMExecutionProvider ended with ONNX Runtime 1.23.
PROVIDERS = ["MIGraphXExecutionProvider", "ROCMExecutionProvider", "CPUExecutionProvider"]


def main():
    arguments = parse_arguments()
    there = onnxruntime.get_available_providers()
    providers = [name for name in PROVIDERS if name in there]
    print(f"onnxruntime {onnxruntime.__version__}, providers there: {', '.join(there)}")
    model = arguments.model or small_model(arguments)
    session = onnxruntime.InferenceSession(model, providers=providers)
    print(f"running with {session.get_providers()[0]}")
    feeds = {given.name: sample(given, arguments) for given in session.get_inputs()}
    for _ in range(arguments.warm_up):
        session.run(None, feeds)
    seconds = []
    for _ in range(arguments.runs):
        began = time.perf_counter()
        session.run(None, feeds)
        seconds.append(time.perf_counter() - began)
    middle = statistics.median(seconds)
    print(f"median {middle * 1e3:.3f} ms a run, {arguments.batch_size / middle:.1f} inferences/s")
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump({"provider": session.get_providers()[0], "seconds": seconds}, file, indent=2)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", help="an .onnx file")
    parser.add_argument("--batch-size", type=int, default=DEFAULTS["batch_size"])
    parser.add_argument("--width", type=int, default=DEFAULTS["width"])
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--runs", type=int, default=50)
    parser.add_argument("--warm-up", type=int, default=5)
    parser.add_argument("--json", help="write the figures to this file as well")
    return parser.parse_args()


def small_model(arguments):
    """The bytes of a network of matrix products with ReLU between them."""
    from onnx import TensorProto, helper, numpy_helper

    maker = numpy.random.default_rng(0)
    nodes, weights, last = [], [], "input"
    for layer in range(arguments.layers):
        values = maker.standard_normal((arguments.width, arguments.width)) / arguments.width**0.5
        weights.append(numpy_helper.from_array(values.astype(numpy.float32), f"weight{layer}"))
        nodes.append(helper.make_node("MatMul", [last, f"weight{layer}"], [f"product{layer}"]))
        nodes.append(helper.make_node("Relu", [f"product{layer}"], [f"state{layer}"]))
        last = f"state{layer}"
    shape = [arguments.batch_size, arguments.width]
    graph = helper.make_graph(
        nodes,
        "small",
        [helper.make_tensor_value_info("input", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info(last, TensorProto.FLOAT, shape)],
        weights,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    return model.SerializeToString()


def sample(given, arguments):
    """Random values in the input's shape; named dimensions become the batch size."""
    shape = [size if isinstance(size, int) else arguments.batch_size for size in given.shape]
    values = numpy.random.default_rng(1).standard_normal(shape)
    return values.astype({"tensor(float)": numpy.float32, "tensor(float16)": numpy.float16,
                          "tensor(int64)": numpy.int64, "tensor(int32)": numpy.int32}[given.type])


if __name__ == "__main__":
    main()
