"""Errors of the API, and of jobs that do not complete."""

from __future__ import annotations

from typing import Any

import httpx


class ApiError(Exception):
    """An answer of the API other than 2xx: its `status`, `code`, `request_id`, and `details`, each with `path` and `message`."""

    def __init__(self, response: httpx.Response) -> None:
        error = _error_of(response)
        self.status = response.status_code
        self.code: str = error.get("code", "HTTP_ERROR")
        self.retryable: bool = error.get("retryable", self.status >= 500)
        self.request_id: str | None = error.get("requestId")
        self.details: list[dict[str, str]] = error.get("details") or []
        lines = [f"{self.code}: {error.get('message', response.reason_phrase)}"]
        lines += [f"{detail.get('path')}: {detail.get('message')}" for detail in self.details]
        super().__init__("\n".join(lines))


class JobError(Exception):
    """A job that ended otherwise than completed: `job` is the job as the API answers it."""

    def __init__(self, job: dict[str, Any]) -> None:
        self.job = job
        error = job.get("error")
        super().__init__(f"{error['code']}: {error['message']}" if error else f"The job was {job['state']}.")


def _error_of(response: httpx.Response) -> dict[str, Any]:
    try:
        body = response.json()
    except ValueError:
        return {}
    error = body.get("error") if isinstance(body, dict) else None
    return error if isinstance(error, dict) else {}
