"""Asks a running server for completions and prints its speed.

Speaks the completions protocol that vLLM serves, streaming, over plain sockets of the
standard library. Prints time to the first token, time between tokens and tokens a second,
medians and 95th percentiles over the requests. A token is one streamed chunk that holds
text, or the server's own count where it gives one.
"""

import argparse
import http.client
import json
import random
import statistics
import sys
import threading
import time
import urllib.parse

# What guides claim. Shown beside the measured figures, never in their place.
CLAIM = "guides claim 200 tokens/s and 500 ms to the first token on eight GPUs (unverified)"


def main():
    arguments = parse_arguments()
    answers, failures = run_load(arguments)
    for failure in failures[:3]:
        print(f"a request failed: {failure}", file=sys.stderr)
    if not answers:
        sys.exit(f"none of {arguments.requests} requests was answered")
    report = summary(answers, failures)
    print_report(report)
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump(report, file, indent=2)
    if failures:
        sys.exit(1)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--url", default="http://127.0.0.1:8000")
    parser.add_argument("--model", default="model")
    parser.add_argument("--requests", type=int, default=64)
    parser.add_argument("--side-by-side", type=int, default=8)
    parser.add_argument("--prompt-tokens", type=int, default=256)
    parser.add_argument("--answer-tokens", type=int, default=128)
    parser.add_argument("--vocabulary", type=int, default=1000, help="prompts are random token numbers below it")
    parser.add_argument("--timeout", type=float, default=300.0, help="seconds a request")
    parser.add_argument("--json", help="write the figures to this file as well")
    return parser.parse_args()


def run_load(arguments):
    waiting = list(range(arguments.requests))
    answers, failures, lock = [], [], threading.Lock()

    def work():
        while True:
            with lock:
                if not waiting:
                    return
                number = waiting.pop()
            try:
                answer = ask(arguments, number)
            except (OSError, ValueError, http.client.HTTPException) as error:
                with lock:
                    failures.append(f"{type(error).__name__}: {error}")
                continue
            with lock:
                answers.append(answer)

    threads = [threading.Thread(target=work) for _ in range(arguments.side_by_side)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers, failures


def ask(arguments, number):
    """One request: its start, when its first token came, its end (all of one clock), its tokens."""
    address = urllib.parse.urlsplit(arguments.url)
    make = http.client.HTTPSConnection if address.scheme == "https" else http.client.HTTPConnection
    connection = make(address.hostname, address.port, timeout=arguments.timeout)
    maker = random.Random(number)
    body = {
        "model": arguments.model,
        "prompt": [maker.randrange(3, arguments.vocabulary) for _ in range(arguments.prompt_tokens)],
        "max_tokens": arguments.answer_tokens,
        "ignore_eos": True,
        "temperature": 0.0,
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    began = time.perf_counter()
    try:
        path = address.path.rstrip("/") + "/v1/completions"
        connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
        response = connection.getresponse()
        if response.status != 200:
            raise ValueError(f"status {response.status}: {response.read(300).decode(errors='replace')}")
        first, chunks, counted = None, 0, None
        for line in response:
            if not line.startswith(b"data:"):
                continue
            data = line[5:].strip()
            if data == b"[DONE]":
                break
            event = json.loads(data)
            counted = (event.get("usage") or {}).get("completion_tokens", counted)
            if event.get("choices"):
                first = first or time.perf_counter()
                chunks += 1
        if first is None:
            raise ValueError("the answer held no token")
        return {"began": began, "first": first, "ended": time.perf_counter(), "tokens": counted or chunks}
    finally:
        connection.close()


def summary(answers, failures):
    first = [answer["first"] - answer["began"] for answer in answers]
    between = [
        (answer["ended"] - answer["first"]) / (answer["tokens"] - 1)
        for answer in answers
        if answer["tokens"] > 1
    ]
    seconds = max(answer["ended"] for answer in answers) - min(answer["began"] for answer in answers)
    tokens = sum(answer["tokens"] for answer in answers)
    return {
        "requests": len(answers),
        "failed": len(failures),
        "seconds": seconds,
        "tokens": tokens,
        "tokens_per_second": tokens / seconds,
        "first_token_seconds": percentiles(first),
        "between_tokens_seconds": percentiles(between),
    }


def percentiles(values):
    if not values:
        return None
    ordered = sorted(values)
    return {
        "median": statistics.median(ordered),
        "p95": ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))],
    }


def print_report(report):
    first, between = report["first_token_seconds"], report["between_tokens_seconds"]
    print(f"{report['requests']} requests, {report['failed']} failed, {report['tokens']} tokens in {report['seconds']:.2f} s")
    print(f"tokens a second: {report['tokens_per_second']:.1f}")
    print(f"to the first token: median {first['median'] * 1e3:.1f} ms, 95 % under {first['p95'] * 1e3:.1f} ms")
    if between:
        print(f"between tokens: median {between['median'] * 1e3:.2f} ms, 95 % under {between['p95'] * 1e3:.2f} ms")
    print(CLAIM)


if __name__ == "__main__":
    main()
