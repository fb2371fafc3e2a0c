"""A report of 20,000 trials of four suites: how fast it is made, and how soon headless Chromium shows it.

Records are read from the logs and from their caches. With --page FILE only a page that is there is opened.
"""

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from many_trials import made_logs
from measuring import Line, finish

from knowact.engine import record_cache
from knowact.engine.reader import read_records

ROUNDS = 3

ACTIONS = {
    "trials come into view": "knowact.renderControls(); knowact.renderTrials()",
    "a search": "Object.assign(knowact.trials, { text: 'external get_' }); knowact.renderTrials()",
    "sorted by name": "Object.assign(knowact.trials, { text: '', sort: { title: 'Trial', down: true } });"
    " knowact.renderTrials()",
    "the next rows": "knowact.trials.first += knowact.PAGE; knowact.renderTrials()",
    "another suite": "Object.assign(knowact.trials, { sort: null, first: 0,"
    " chosen: { suite: knowact.blocks().at(-1).suite } }); knowact.renderControls(); knowact.renderTrials()",
}
"""What a reader does, as scripts; each is timed until the browser has laid out the result."""

TIMED = """(() => {{
  const began = performance.now();
  {0};
  document.body.offsetHeight;
  return performance.now() - began;
}})()"""

PAINTED = """new Promise((done) => {
  const found = performance.getEntriesByName("first-contentful-paint")[0];
  if (found) done(found.startTime);
  const seen = (list) => done(list.getEntries().at(-1).startTime);
  new PerformanceObserver(seen).observe({ type: "paint", buffered: true });
})"""


class Browser:
    """Chromium without a window, told what to do over a pipe (Chrome DevTools Protocol)."""

    def __init__(self, profile: Path) -> None:
        program = shutil.which("chromium") or shutil.which("google-chrome")
        if program is None:
            sys.exit("There is no Chromium here. Debian has it as 'chromium'.")
        (read_here, write_there), (read_there, write_here) = os.pipe(), os.pipe()
        flags = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--remote-debugging-pipe",
            "--window-size=1280,900",
        ]
        # The browser reads its file 3 and writes its file 4.
        command = f'exec 3<&{read_there} 4>&{write_there}; exec "$@"'
        self._process = subprocess.Popen(
            ["bash", "-c", command, "bash", program, *flags, f"--user-data-dir={profile}", "about:blank"],
            pass_fds=(read_there, write_there),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(read_there)
        os.close(write_there)
        self._said, self._told = os.fdopen(read_here, "rb"), os.fdopen(write_here, "wb")
        self._count, self._rest, self._session = 0, b"", {}
        (page,) = [one for one in self.ask("Target.getTargets")["targetInfos"] if one["type"] == "page"]
        attached = self.ask("Target.attachToTarget", targetId=page["targetId"], flatten=True)
        self._session = {"sessionId": attached["sessionId"]}
        self.ask("Page.enable")

    def ask(self, method: str, **given: Any) -> Any:
        """The answer to one request."""
        self._count += 1
        request = {"id": self._count, "method": method, "params": given, **self._session}
        self._told.write(json.dumps(request).encode() + b"\0")
        self._told.flush()
        while (said := self._next()).get("id") != self._count:
            pass
        if "error" in said:
            sys.exit(f"Chromium says of {method}: {said['error']}")
        return said["result"]

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            found = os.read(self._said.fileno(), 1 << 16)
            if not found:
                sys.exit("Chromium has ended.")
            self._rest += found
        one, self._rest = self._rest.split(b"\0", 1)
        return json.loads(one)

    def value(self, script: str) -> Any:
        """What a script comes to, as soon as it has."""
        found = self.ask("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in found:
            sys.exit(f"The page's scripts failed: {found['exceptionDetails']}")
        return found["result"].get("value")

    def open(self, page: Path) -> None:
        """Open a page, and wait until it is loaded."""
        self.ask("Page.navigate", url=page.resolve().as_uri())
        while self._next().get("method") != "Page.loadEventFired":
            pass

    def close(self) -> None:
        """End it."""
        self.ask("Browser.close")
        self._process.wait()


def opened(page: Path) -> dict[str, float]:
    """Open a page in a new browser.

    Returns:
        Seconds until it is painted and loaded, and of each action; the megabytes that its scripts hold.
    """
    with tempfile.TemporaryDirectory() as profile:
        browser = Browser(Path(profile))
        browser.open(page)
        found = {"first paint": browser.value(PAINTED) / 1000}
        found["loaded"] = browser.value("performance.getEntriesByType('navigation')[0].loadEventEnd") / 1000
        browser.value(
            "new Promise((done) => { const see = () => document.documentElement.dataset.ready"
            " ? done(true) : setTimeout(see, 20); see(); })"
        )
        for name, script in ACTIONS.items():
            found[name] = browser.value(TIMED.format(script)) / 1000
        found["memory of the scripts"] = browser.value("performance.memory.usedJSHeapSize") / 1e6
        browser.close()
    return found


def read(logs: list[Path]) -> float:
    """CPU seconds to read the records of logs."""
    began = time.process_time()
    for log in logs:
        read_records(log)
    return time.process_time() - began


def records_lines(folder: Path) -> list[Line]:
    """Records from logs, then from their caches."""
    logs = sorted(folder.glob("*.eval"))
    from_logs: list[float] = []
    from_caches: list[float] = []
    for _ in range(ROUNDS):
        for log in logs:
            record_cache.cache_of(log).unlink(missing_ok=True)
        from_logs.append(read(logs))
        from_caches.append(read(logs))
    size = sum(record_cache.cache_of(log).stat().st_size for log in logs) / 1e6
    return [
        Line("records from logs, caches written", from_logs, "s"),
        Line("records from caches", from_caches, "s"),
        Line("share", [b / a for a, b in zip(from_logs, from_caches, strict=True)], "", 0.1),
        Line("size of the caches", [size], "MB"),
    ]


def report_lines(folder: Path, out: Path) -> list[Line]:
    """The whole command, in a process of its own."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-m", "knowact", "report", folder, "--out", out], check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return [
        Line(
            "knowact report, CPU", [after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime], "s"
        ),
        Line("its memory", [after.ru_maxrss / 1024], "MB"),
    ]


def page_lines(page: Path) -> list[Line]:
    """What `opened` says, several times."""
    rounds = [opened(page) for _ in range(ROUNDS)]
    lines = [Line("the page", [page.stat().st_size / 1e6], "MB")]
    for name in rounds[0]:
        unit, target = ("MB", None) if "memory" in name else ("s", 2.0 if name == "first paint" else None)
        lines.append(Line(name, [one[name] for one in rounds], unit, target))
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=20_000)
    parser.add_argument("--logs", type=Path, help="logs that many_trials.py made before")
    parser.add_argument("--page", type=Path)
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        lines: list[Line] = []
        page = wanted.page
        if page is None:
            logs = wanted.logs or made_logs(Path(folder), wanted.trials)
            lines = [*records_lines(logs), *report_lines(logs, Path(folder) / "out")]
            page = Path(folder) / "out" / "index.html"
        lines += page_lines(page)
    finish(lines, f"A page opened {ROUNDS} times, each in a new browser.")


if __name__ == "__main__":
    main()
