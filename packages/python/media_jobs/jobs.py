"""Whole jobs: upload, submission, waiting, files."""

from __future__ import annotations

import os
import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from .calls import call, repeat
from .errors import JobError
from .generated.client import AuthenticatedClient
from .uploads import BLOCK_BYTES, Progress, upload_file

TERMINAL = ("completed", "failed", "rejected", "cancelled")
MODES = {"recipe": "recipe", "steps": "pipeline", "outputs": "outputs", "preset": "preset"}
FIRST_POLL_SECONDS = 0.25
MAX_POLL_SECONDS = 2.0

Job = dict[str, Any]
Work = str | Mapping[str, Any]


@dataclass(frozen=True)
class JobFile:
    """A file of a job. `url` is signed, for an hour by default."""

    filename: str
    mime_type: str
    url: str
    _storage: httpx.Client

    def save(self, path: str | os.PathLike[str]) -> None:
        """Downloads the file to a path."""
        target = Path(path)

        def download() -> httpx.Response:
            with self._storage.stream("GET", self.url) as response:
                if response.is_success:
                    with target.open("wb") as file:
                        for block in response.iter_bytes(BLOCK_BYTES):
                            file.write(block)
                else:
                    response.read()
                return response

        repeat(download)


@dataclass(frozen=True)
class Result:
    """A completed job, and its files by the names of its outputs."""

    job: Job
    files: dict[str, JobFile]


class MediaJobs:
    """A client of one service. Without arguments, MEDIA_JOBS_URL and MEDIA_JOBS_KEY name it.

    `api` is the generated client of every operation: `get_job.sync(job_id, client=media_jobs.api)`.
    """

    def __init__(self, base_url: str | None = None, api_key: str | None = None, *, timeout_seconds: float = 30.0) -> None:
        url = base_url or os.environ["MEDIA_JOBS_URL"]
        timeout = httpx.Timeout(timeout_seconds)
        self.api = AuthenticatedClient(
            base_url=url.rstrip("/"), token=api_key or os.environ["MEDIA_JOBS_KEY"], timeout=timeout
        )
        # The key is not for storage, to which URLs of files redirect.
        self._storage = httpx.Client(timeout=timeout, follow_redirects=True)

    def run(self, source: str | os.PathLike[str], work: Work, *, on_progress: Progress | None = None, **fields: Any) -> Result:
        """Uploads a file unless it is a URL, submits a job, and waits for its end.

        `work` is a recipe with its parameters and `format`, the name of a preset, or a request of the API without `mode` and
        `input`. `fields` are those beside it, such as `metadata` and `maxCostUsd`. `on_progress` gets a stage and percents.

        Raises JobError unless the job completes, ApiError, or httpx.TransportError.
        """
        job = self.submit(source, work, on_progress=on_progress, **fields)
        return self.wait(job["jobId"], on_progress=on_progress)

    def submit(self, source: str | os.PathLike[str], work: Work, *, on_progress: Progress | None = None, **fields: Any) -> Job:
        """As `run`, without waiting: returns the queued job. The service creates one job, even if an answer is lost."""
        text = os.fspath(source)
        url = text if "://" in text else self.upload(text, on_progress=on_progress)
        body = {"input": {"url": url}, **self._request_of(work), **fields}
        headers = {"Idempotency-Key": str(uuid.uuid4())}
        return call(self._http, "POST", "/api/v1/jobs", json=body, headers=headers)

    def wait(self, job_id: str, *, on_progress: Progress | None = None, sleep: Callable[[float], None] = time.sleep) -> Result:
        """Waits for the end of a job. Raises JobError unless it completes."""
        delay = FIRST_POLL_SECONDS
        while True:
            job = call(self._http, "GET", f"/api/v1/jobs/{job_id}")
            if on_progress is not None:
                on_progress(job["stage"], job["progress"])
            if job["state"] in TERMINAL:
                break
            sleep(delay)
            delay = min(MAX_POLL_SECONDS, delay * 2)
        if job["state"] != "completed":
            raise JobError(job)
        files = {
            name: JobFile(file["filename"], file["mime_type"], file["storage_url"], self._storage)
            for name, file in job.get("output_files", {}).items()
        }
        return Result(job, files)

    def upload(self, path: str | os.PathLike[str], *, on_progress: Progress | None = None) -> str:
        """Uploads a file, in parts above 10 MiB, and returns its `inputUrl`, for several jobs."""
        return upload_file(self._http, self._storage, Path(path), on_progress or (lambda stage, percent: None))

    @property
    def _http(self) -> httpx.Client:
        return self.api.get_httpx_client()

    def _request_of(self, work: Work) -> dict[str, Any]:
        if isinstance(work, str):
            return {"mode": "preset", "preset": work}
        if "name" not in work:
            mode = next(mode for field, mode in MODES.items() if field in work)
            return {"mode": mode, **work}
        recipe = {name: value for name, value in work.items() if name != "format"}
        format_of_result = work.get("format")
        if format_of_result is None:
            known = {each["name"]: each for each in call(self._http, "GET", "/api/v1/recipes")["recipes"]}
            formats = known.get(work["name"], {}).get("outputFormats", ["mp4"])
            format_of_result = formats[0]
        return {"mode": "recipe", "recipe": recipe, "output": {"format": format_of_result}}
