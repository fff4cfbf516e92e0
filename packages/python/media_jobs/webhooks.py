"""Verification of webhooks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from standardwebhooks import Webhook


def verify_webhook(body: bytes | str, headers: Mapping[str, str], secret: str) -> Any:
    """Checks the signature of a webhook (Standard Webhooks 1.0), and that it is at most five minutes old.

    `body` is the unparsed body. Returns the parsed event. Raises standardwebhooks.WebhookVerificationError.
    """
    return Webhook(secret).verify(body, dict(headers))
