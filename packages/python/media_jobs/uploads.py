"""Uploads of local files."""

from __future__ import annotations

import mimetypes
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx

from .calls import call, repeat

MAX_WHOLE_BYTES = 10 * 1024**2
"""A larger file is sent in parts, so that a broken connection costs one part."""
CONCURRENT_PARTS = 3
BLOCK_BYTES = 1024**2

Progress = Callable[[str, float], None]


def upload_file(api: httpx.Client, storage: httpx.Client, path: Path, on_progress: Progress) -> str:
    """Uploads a file, a large one in parts, and returns its `inputUrl`."""
    size = path.stat().st_size
    body: dict[str, object] = {"sizeBytes": size, "filename": path.name[-100:]}
    content_type, _ = mimetypes.guess_type(path.name)
    if content_type is not None:
        body["contentType"] = content_type
    if size > MAX_WHOLE_BYTES:
        body["multipart"] = True
    created = call(api, "POST", "/api/v1/uploads", json=body, headers={"Idempotency-Key": str(uuid.uuid4())})
    if "uploadUrl" in created:
        _put(storage, created["uploadUrl"], path, 0, size, content_type)
        on_progress("uploading", 100.0)
        return created["inputUrl"]

    part_bytes = created["partSizeBytes"]
    sent = 0

    def send(number: int, url: str) -> dict[str, object]:
        nonlocal sent
        start = (number - 1) * part_bytes
        end = min(size, start + part_bytes)
        etag = _put(storage, url, path, start, end, None).headers["etag"]
        sent += end - start
        on_progress("uploading", sent / size * 100)
        return {"partNumber": number, "etag": etag}

    with ThreadPoolExecutor(CONCURRENT_PARTS) as pool:
        parts = list(pool.map(send, range(1, len(created["partUrls"]) + 1), created["partUrls"]))
    _complete(api, created["uploadId"], parts)
    return created["inputUrl"]


def _complete(api: httpx.Client, upload_id: str, parts: list[dict[str, object]]) -> None:
    attempts = 0

    def send() -> httpx.Response:
        nonlocal attempts
        attempts += 1
        response = api.post(f"/api/v1/uploads/{upload_id}/complete", json={"parts": parts})
        # An earlier attempt, whose answer was lost, has completed it.
        return httpx.Response(200) if response.status_code == 404 and attempts > 1 else response

    repeat(send)


def _put(
    storage: httpx.Client, url: str, path: Path, start: int, end: int, content_type: str | None
) -> httpx.Response:
    headers = {"Content-Length": str(end - start), **({"Content-Type": content_type} if content_type else {})}
    return repeat(lambda: storage.put(url, content=_read(path, start, end), headers=headers))


def _read(path: Path, start: int, end: int) -> Iterator[bytes]:
    with path.open("rb") as file:
        file.seek(start)
        left = end - start
        while left > 0:
            block = file.read(min(BLOCK_BYTES, left))
            if not block:
                raise OSError(f"{path} became shorter while it was read.")
            left -= len(block)
            yield block
