"""Starts vLLM's server with the settings that fit this environment's GPUs.

Prints the command, then becomes it. Further arguments are passed on to vLLM as they are.
`--random-weights` serves a model made from a config alone, without a hub.
"""

import argparse
import json
import os
import shlex
import sys
import tempfile

DEFAULTS = {
    "tensor_parallel": 1,
    "type": "bfloat16",
    "quantization": None,
    "memory_utilization": 0.90,
    "length": 4096,
}

# A Llama of toy size, enough to see every part of the server work.
TOY = {
    "architectures": ["LlamaForCausalLM"],
    "model_type": "llama",
    "vocab_size": 32000,
    "hidden_size": 512,
    "intermediate_size": 1408,
    "num_hidden_layers": 4,
    "num_attention_heads": 8,
    "num_key_value_heads": 8,
    "max_position_embeddings": 4096,
    "rms_norm_eps": 1e-5,
    "torch_dtype": "bfloat16",
    "bos_token_id": 1,
    "eos_token_id": 2,
}


def main():
    arguments, passed_on = parse_arguments()
    command = command_line(arguments, passed_on)
    print("+ " + shlex.join(command), file=sys.stderr, flush=True)
    if arguments.dry_run:
        return
    os.execvp(command[0], command)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", help="a local folder with a model")
    parser.add_argument("--random-weights", action="store_true", help="a toy model, without a hub")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--tensor-parallel", type=int, default=DEFAULTS["tensor_parallel"])
    parser.add_argument("--type", default=DEFAULTS["type"])
    parser.add_argument("--quantization", default=DEFAULTS["quantization"])
    parser.add_argument("--memory-utilization", type=float, default=DEFAULTS["memory_utilization"])
    parser.add_argument("--length", type=int, default=DEFAULTS["length"], help="longest context")
    parser.add_argument("--dry-run", action="store_true", help="print the command only")
    return parser.parse_known_args()


def command_line(arguments, passed_on):
    if arguments.model:
        model = arguments.model
    elif arguments.random_weights:
        model = toy_model()
    else:
        sys.exit("name a local model with --model FOLDER, or ask for --random-weights")
    command = ["vllm", "serve", model, "--port", str(arguments.port)]
    command += ["--served-model-name", "model", "--dtype", arguments.type]
    command += ["--tensor-parallel-size", str(arguments.tensor_parallel)]
    command += ["--gpu-memory-utilization", str(arguments.memory_utilization)]
    command += ["--max-model-len", str(arguments.length)]
    if arguments.quantization:
        command += ["--quantization", arguments.quantization]
    if arguments.random_weights and not arguments.model:
        command += ["--load-format", "dummy", "--skip-tokenizer-init"]
    return command + passed_on


def toy_model():
    folder = tempfile.mkdtemp(prefix="toy-llama-")
    with open(os.path.join(folder, "config.json"), "w", encoding="utf-8") as file:
        json.dump(TOY, file, indent=2)
    return folder


if __name__ == "__main__":
    main()
