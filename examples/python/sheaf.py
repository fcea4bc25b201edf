"""Extracts from a file and asks a question about it, with the standard library of Python only.

    CLIENT_ID=... CLIENT_SECRET=... python3 examples/python/sheaf.py [FILE]
"""

import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from pathlib import Path

BASE_URL = os.environ.get("BASE_URL", "http://127.0.0.1:8080")
SAMPLE = Path(__file__).parent.parent / "invoice.pdf"


class SheafError(Exception):
    """A response with an error: `code` is stable, the message is for people."""

    def __init__(self, status, code, message):
        super().__init__(f"{message} ({code})")
        self.status, self.code = status, code


class Sheaf:
    """Calls the API with an access token."""

    def __init__(self, base_url, client_id, client_secret):
        self.base_url = base_url.rstrip("/")
        form = {"grant_type": "client_credentials", "client_id": client_id, "client_secret": client_secret}
        self.token = None
        self.token = self.call("POST", "/v2/token", urllib.parse.urlencode(form).encode())["access_token"]

    def call(self, method, path, body=None, headers=None):
        """Sends a request, and repeats it while the service is busy. A key makes that safe."""
        headers = dict(headers or {})
        if self.token:
            headers["x-api-key"] = self.token
            if method == "POST":
                headers["idempotency-key"] = str(uuid.uuid4())
        if isinstance(body, dict):
            headers["content-type"] = "application/json"
            body = json.dumps(body).encode()
        for attempt in range(5):
            request = urllib.request.Request(self.base_url + path, body, headers, method=method)
            try:
                with urllib.request.urlopen(request, timeout=300) as response:
                    return json.load(response)
            except urllib.error.HTTPError as error:
                if error.code in (429, 503) and attempt < 4:
                    time.sleep(float(error.headers.get("retry-after") or 1))
                    continue
                envelope = json.load(error)
                raise SheafError(error.code, envelope["code"], envelope["error"]) from None

    def upload(self, path, file, **members):
        """Sends a file as a form. Its other parts are texts, or JSON."""
        boundary = uuid.uuid4().hex
        parts = []
        for name, value in members.items():
            text = value if isinstance(value, str) else json.dumps(value)
            parts.append(f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{text}\r\n'.encode())
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{file.name}"\r\n\r\n'
        body = b"".join([*parts, head.encode(), file.read_bytes(), f"\r\n--{boundary}--\r\n".encode()])
        return self.call("POST", path, body, {"content-type": f"multipart/form-data; boundary={boundary}"})

    def wait_for_document(self, agent, document):
        """Waits until a document can be asked about."""
        while True:
            found = self.call("GET", f"/v2/agents/{agent}/documents/{document}")["data"]
            if found["status"] != "pending":
                return found
            time.sleep(0.25)


def main():
    file = Path(sys.argv[1]) if len(sys.argv) > 1 else SAMPLE
    sheaf = Sheaf(BASE_URL, os.environ["CLIENT_ID"], os.environ["CLIENT_SECRET"])

    params = [
        {"name": "invoice_number", "format": "text", "description": "Number of the invoice"},
        {"name": "gross_total", "format": "number", "description": "Total amount including tax"},
    ]
    result = sheaf.upload("/v2/extractor", file, params=params, include=["evidence"])
    print(json.dumps(result["data"][0]))
    print(result["metadata"]["evidence"][0]["gross_total"]["quote"])

    agent = sheaf.call("POST", "/v2/agents", {"name": "Example: Python", "type": "DOCUMENTALIST"})["data"]["reference"]
    try:
        document = sheaf.upload(f"/v2/agents/{agent}/documents", file)["data"]["document_reference"]
        sheaf.wait_for_document(agent, document)
        question = {"query": "What is the due date of invoice NL-2026-0417?", "include": ["citations"]}
        answer = sheaf.call("POST", f"/v2/knowledge/{agent}", question)["data"]
        print(answer["answer"])
        for citation in answer["citations"]:
            print(f'  "{citation["quote"]}" ({citation["name"]}, page {citation["page"]})')
    finally:
        sheaf.call("DELETE", f"/v2/agents/{agent}")


try:
    main()
except SheafError as error:
    sys.exit(str(error))
