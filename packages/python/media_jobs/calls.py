"""Requests that are repeated while the network or the service fails."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import httpx

from .errors import ApiError

ATTEMPTS = 5
FIRST_DELAY_SECONDS = 0.5
MAX_DELAY_SECONDS = 10.0
RETRYABLE = {429, 500, 502, 503, 504}


def repeat(send: Callable[[], httpx.Response], sleep: Callable[[float], None] = time.sleep) -> httpx.Response:
    """Sends a request whose repetition changes nothing, up to five times.

    Waits twice as long each time, and at least `Retry-After`; a longer wait than ten seconds is an error at once.

    Raises ApiError for an answer other than 2xx, httpx.TransportError without an answer.
    """
    for attempt in range(1, ATTEMPTS + 1):
        delay = FIRST_DELAY_SECONDS * 2 ** (attempt - 1)
        try:
            response = send()
        except httpx.TransportError:
            if attempt == ATTEMPTS:
                raise
        else:
            if response.is_success:
                return response
            error = ApiError(response)
            delay = max(delay, _retry_after(response))
            is_final = attempt == ATTEMPTS or not error.retryable or delay > MAX_DELAY_SECONDS
            if response.status_code not in RETRYABLE or is_final:
                raise error
        sleep(min(delay, MAX_DELAY_SECONDS))
    raise AssertionError("unreachable")


def call(client: httpx.Client, method: str, path: str, **request: Any) -> dict[str, Any]:
    """Calls a route that may be repeated: a read, or a POST with an `Idempotency-Key`. Returns the body."""
    response = repeat(lambda: client.request(method, path, **request))
    return response.json() if response.content else {}


def _retry_after(response: httpx.Response) -> float:
    value = response.headers.get("retry-after", "")
    return float(value) if value.isdigit() else 0.0
