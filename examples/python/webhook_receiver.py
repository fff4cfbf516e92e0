import base64
import hashlib
import hmac
import json
import os
import re
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))
TOLERANCE_SECONDS = 5 * 60


def is_valid_signature(headers, body: bytes) -> bool:
    """Verify signature and age of a webhook. After a rotation there are several signatures; one must match."""
    message_id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not re.fullmatch("[0-9]{1,12}", timestamp) or abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    content = f"{message_id}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(KEY, content, hashlib.sha256).digest()).decode()
    signatures = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(expected.encode(), signature.encode()) for signature in signatures)


# Replace with a unique column in your database, so that duplicates are detected after a restart.
seen = set()


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if not is_valid_signature(self.headers, body):
            return self.answer(401)
        if self.headers["webhook-id"] not in seen:
            data = json.loads(body)["data"]
            # Replace with your queue. Do slow work after the response.
            print(data["jobId"], data["state"], flush=True)
            seen.add(self.headers["webhook-id"])
        return self.answer(204)

    def answer(self, status: int):
        self.send_response(status)
        self.end_headers()


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8080"))), Receiver)
    print(f"Listening on port {server.server_port}", flush=True)
    server.serve_forever()
