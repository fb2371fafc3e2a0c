"""A hub of data sets on this machine: answers for the files of one release, and says what it was asked."""

import threading
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from knowact.datasets.hub import Release


class Hub:
    """What a server answers, and what it was asked for.

    Args:
        release: Whose files it has.
        folder: Where they are, under their paths.
    """

    def __init__(self, release: Release, folder: Path) -> None:
        self.prefix = f"/datasets/{release.hub}/resolve/{release.revision}/"
        self.folder = folder
        self.asked: list[str] = []
        self.status: dict[str, int] = {}
        self.cut: set[str] = set()

    def handler(self) -> type[BaseHTTPRequestHandler]:
        hub = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                path = self.path.removeprefix(hub.prefix)
                name = path.rpartition("/")[2]
                hub.asked.append(name)
                data = (hub.folder / path).read_bytes()
                self.send_response(hub.status.get(name, 200))
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data[:100] if name in hub.cut else data)

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base's signature
                pass

        return Handler


@contextmanager
def serving(release: Release, folder: Path, monkeypatch: pytest.MonkeyPatch, cache: Path) -> Generator[Hub]:
    """Serve a release's files, and keep what is fetched in a cache of the test's own."""
    hub = Hub(release, folder)
    with HTTPServer(("127.0.0.1", 0), hub.handler()) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{server.server_port}/")
        monkeypatch.setenv("KNOWACT_CACHE", str(cache))
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        try:
            yield hub
        finally:
            server.shutdown()
            thread.join()
