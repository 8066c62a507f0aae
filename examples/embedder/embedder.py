"""Finds services by meaning: a program for `search.embedder`, with the small English model of wordllama.

    pip install wordllama==0.4.0.post1
    python embedder.py 8600
    svc-server --set search.embedder=http://127.0.0.1:8600/embed --set search.similarity=0.15

The weights are part of the package. They are read directly, because the package's own loader looks for
them in the network.
"""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path

import numpy
from safetensors.numpy import load_file
from tokenizers import Tokenizer

PACKAGE = Path(find_spec("wordllama").origin).parent
TOKENIZER = Tokenizer.from_file(str(PACKAGE / "tokenizers/l2_supercat_tokenizer_config.json"))
[WEIGHTS] = load_file(PACKAGE / "weights/l2_supercat_256.safetensors").values()


def vector(text: str) -> list[float]:
    """The mean of the vectors of a text's tokens."""
    tokens = TOKENIZER.encode(text, add_special_tokens=False).ids
    mean = WEIGHTS[tokens].astype(numpy.float32).mean(axis=0)
    return [round(float(number), 5) for number in mean / numpy.linalg.norm(mean)]


class Embedder(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        body = json.dumps({"vectors": [vector(text) for text in request["texts"]]}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


if __name__ == "__main__":
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 8600
    ThreadingHTTPServer(("127.0.0.1", port), Embedder).serve_forever()
