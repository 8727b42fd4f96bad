"""Runs shaders of the book in headless Chromium, each also with faults, which must be noticed."""

import base64
import http.server
import json
import os
import queue
import re
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

LIB = Path(__file__).resolve().parent
ROOT = LIB.parents[2]
SAMPLES = Path(os.environ["RIGY_SUITE"]) / "gltf-samples"
BROWSERS = {
    "wgsl": ["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader", "--enable-features=Vulkan"],
    "glsl": ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"],
}


def encode(content):
    return base64.b64encode(content).decode()


def shader_of(page, language):
    return re.search(rf"```{language}\n(.*?)```", (ROOT / "docs/src/reference" / page).read_text(), re.S)[1]


def in_browser(script, language, data, files={}):
    """Runs shaders by a script in the browser, which can fetch files by their paths. Returns for each shader the vertices of each case."""
    scripts = [(LIB / name).read_text() for name in ("shaders.js", script)]
    scripts.append(f"run.{language}({json.dumps(data)}).catch((error) => ({{ error: String(error) }})).then(post);")
    page = ("<body><script>" + "\n".join(scripts) + "</script></body>").encode()
    results = queue.Queue()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write({"/": page, **files}.get(self.path, b""))  # it asks for an icon, too

        def do_POST(self):
            results.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        address = f"http://127.0.0.1:{server.server_port}/"
        command = [os.environ["CHROMIUM"], "--headless", "--no-sandbox", *BROWSERS[language], f"--user-data-dir={profile}", address]
        browser = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        try:
            result = results.get(timeout=240)
        except queue.Empty:
            sys.exit("the page gave no result")
        finally:
            browser.terminate()
            browser.wait()
            server.shutdown()
    if "error" in result:
        sys.exit(result["error"])
    return result["results"]


def judge(language, faults, results, names, expected, deviations):
    """Prints how far vertices are from where they should be. Returns whether they are near, and not near with each of the faults.

    `deviations` gives a text and whether vertices are near, from what the browser gave and from what is expected."""
    right, *faulty = results
    good = True
    for found, name, wanted in zip(right, names, expected, strict=True):
        said, is_near = deviations(found, wanted)
        good &= is_near
        print(f"{'ok  ' if is_near else 'FAIL'} {language} {name}: {said}")
    for fault, texts in zip(faults, faulty, strict=True):
        noticed = sum(not deviations(found, wanted)[1] for found, wanted in zip(texts, expected, strict=True))
        good &= noticed > 0
        print(f"{'ok  ' if noticed else 'FAIL'} {language} with {fault}: {noticed} of {len(texts)} differ", flush=True)
    return good and len(right) > 0
