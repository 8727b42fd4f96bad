"""An HTTP proxy that lets a share of requests fail, in the ways in which object storage fails.

    proxy.py LISTEN-PORT SERVER-PORT SHARE SEED COUNTS

Forwards requests from a port of the loopback to another one. SHARE of them, between 0 and 1, fail in a way that is chosen at
random from SEED. When the process gets SIGTERM, it writes to the file COUNTS, as JSON, how many requests there were and how many
failed in which way.
"""

from __future__ import annotations

import asyncio
import collections
import json
import random
import signal
import sys
from pathlib import Path

# What happens to a request that fails. After `lost` and `cut`, the server has done what it was asked for.
FAILURES = {
    "busy": "the proxy answers 503, and the server never hears of the request",
    "lost": "the server answers, and the connection ends before the first byte of the answer",
    "cut": "the connection ends in the middle of the answer",
    "slow": "the answer comes three seconds late",
}
BUSY = b"HTTP/1.1 503 Slow Down\r\nContent-Length: 0\r\nConnection: keep-alive\r\n\r\n"
LATE = 3.0
HEAD_LIMIT = 1 << 16

Message = tuple[bytes, bytes]


async def read_message(reader: asyncio.StreamReader, method: bytes = b"") -> Message:
    """Returns the head and the body of a request, or of the answer to a request with `method`."""
    head = await reader.readuntil(b"\r\n\r\n")
    fields = {}
    for line in head.split(b"\r\n")[1:-2]:
        name, _, value = line.partition(b":")
        fields[name.strip().lower()] = value.strip()
    if method == b"HEAD" or head.split(b" ", 2)[1][:3] in (b"204", b"304"):
        return head, b""
    if b"content-length" in fields:
        return head, await reader.readexactly(int(fields[b"content-length"]))
    if fields.get(b"transfer-encoding") == b"chunked":
        return head, await read_chunks(reader)
    return head, await reader.read() if method else b""


async def read_chunks(reader: asyncio.StreamReader) -> bytes:
    """Returns the bytes of a body in chunks, with their lengths."""
    body = b""
    while True:
        line = await reader.readline()
        chunk = await reader.readexactly(int(line.split(b";")[0], 16) + 2)
        body += line + chunk
        if chunk == b"\r\n":
            return body


def as_last(head: bytes) -> bytes:
    """Returns the head of a request that asks the server to end the connection after its answer."""
    lines = head[:-4].split(b"\r\n")
    kept = [line for line in lines if not line.lower().startswith((b"connection:", b"expect:"))]
    return b"\r\n".join([*kept, b"Connection: close", b"", b""])


class Proxy:
    def __init__(self, server: int, share: float, seed: int) -> None:
        self.server, self.share = server, share
        self.random = random.Random(seed)
        self.counts: collections.Counter[str] = collections.Counter()

    def failure(self) -> str | None:
        """Returns how the next request is to fail, or None if it is not to."""
        self.counts["requests"] += 1
        if self.random.random() >= self.share:
            return None
        kind = self.random.choice(list(FAILURES))
        self.counts[kind] += 1
        return kind

    async def ask(self, head: bytes, body: bytes) -> Message:
        """Returns the answer of the server to a request."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.server, limit=HEAD_LIMIT)
        try:
            writer.write(as_last(head) + body)
            await writer.drain()
            return await read_message(reader, head.split(b" ", 1)[0])
        finally:
            writer.close()

    async def serve_one(self, head: bytes, body: bytes, writer: asyncio.StreamWriter) -> bool:
        """Answers a request. Returns whether the connection lasts."""
        failure = self.failure()
        if failure == "busy":
            writer.write(BUSY)
            return True
        answer, content = await self.ask(head, body)
        # The server ends its connection, and the client may keep its own if the length of the answer is known.
        lasts = b"\r\ncontent-length:" in answer.lower() or head.startswith(b"HEAD ")
        if lasts:
            answer = answer.replace(b"\r\nConnection: close", b"")
        if failure == "lost":
            return False
        if failure == "cut":
            whole = answer + content
            writer.write(whole[: len(whole) // 2])
            return False
        if failure == "slow":
            await asyncio.sleep(LATE)
        writer.write(answer + content)
        return lasts

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answers the requests of a connection, one after another."""
        try:
            while True:
                head, body = await read_message(reader)
                lasts = await self.serve_one(head, body, writer)
                await writer.drain()
                if not lasts:
                    break
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass  # the client has ended the connection, or the proxy ends
        finally:
            writer.close()


async def main(listen: int, server: int, share: float, seed: int, counts: Path) -> None:
    proxy = Proxy(server, share, seed)
    ended = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ended.set)
    async with await asyncio.start_server(proxy.serve, "127.0.0.1", listen, limit=HEAD_LIMIT):
        await ended.wait()
        counts.write_text(json.dumps(proxy.counts) + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 6:
        sys.exit(__doc__)
    _, listen, server, share, seed, counts = sys.argv
    asyncio.run(main(int(listen), int(server), float(share), int(seed), Path(counts)))
