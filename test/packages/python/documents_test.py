"""The programs of docs/python.md, as shown, against the running service."""

import asyncio
import contextlib
import io
import json
import os
import re
import shutil
import sys
import tempfile
import types
import unittest
from unittest import mock

from conversation_ads import Client
from service_test import RUNNING, create_client, read_expected

HERE = os.path.dirname(os.path.abspath(__file__))

PAGE = os.path.join(HERE, "../../../packages/examples/html/page.html")

with open(os.path.join(HERE, "../../../docs/python.md"), encoding="utf-8") as file:
    SECTIONS = dict(re.findall(r"^## (.+)\n[\s\S]*?^```python\n([\s\S]*?)^```$", file.read(), re.M))

try:
    import fastapi  # noqa: F401

    has_fastapi = True
except ImportError:
    has_fastapi = False

try:
    import langchain_core.runnables  # noqa: F401
except ImportError:
    # Debian has no package of LangChain. This is all of it that the program uses.
    class RunnableLambda:
        def __init__(self, function):
            self._function = function

        def invoke(self, value):
            return self._function(value)

    runnables = types.ModuleType("langchain_core.runnables")
    runnables.RunnableLambda = RunnableLambda
    sys.modules.update({"langchain_core": types.ModuleType("langchain_core"), "langchain_core.runnables": runnables})


start_bid = Client.start_bid


def start_patiently(client, *arguments, **options):
    """A busy machine may need more than 400 ms."""
    return start_bid(client, *arguments, **{**options, "deadline": 60})


def run(heading):
    """Runs a section's program. Returns its variables and its output."""
    variables = {"__name__": "__main__"}
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(compile(SECTIONS[heading], heading, "exec"), variables)
    return variables, output.getvalue()


@contextlib.contextmanager
def working_in(folder):
    before = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def post(app, path, body, headers=(), method="POST"):
    """Sends a request to an ASGI application, and returns the status, headers, and body of its response."""
    sent = []

    async def receive():
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message):
        sent.append(message)

    raw = [(name.lower().encode(), value.encode()) for name, value in headers]
    scope = {"type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method, "scheme": "http"}
    scope.update({"path": path, "raw_path": path.encode(), "query_string": b"", "headers": raw, "root_path": ""})
    asyncio.run(app(scope, receive, send))
    start, *rest = sent
    answered = {name.decode(): value.decode() for name, value in start["headers"]}
    return start["status"], answered, b"".join(message.get("body", b"") for message in rest)


class Document(unittest.TestCase):
    def setUp(self):
        _, ads, _ = create_client()
        environment = mock.patch.dict("os.environ", {"ADS_KEY": ads._api_key})
        for patch in (environment, mock.patch.object(Client, "start_bid", start_patiently)):
            patch.start()
            self.addCleanup(patch.stop)

    def test_shows_a_script_that_prints_an_answer_with_its_labeled_ad(self):
        _, output = run("In a script")
        self.assertRegex(output, r"^Start with a soft pair[^\n]*\n\n---\n\n\*Sponsored · Fleet Feet")
        self.assertRegex(output, r"https://ads\.test/api/v1/click/[0-9a-f-]{36}")

    @unittest.skipUnless(has_fastapi, "FastAPI is not installed")
    def test_shows_a_fastapi_app_whose_page_gets_the_ad_when_it_shows_it(self):
        with tempfile.TemporaryDirectory() as folder, working_in(folder):
            os.mkdir("page")
            shutil.copy(PAGE, "page/index.html")
            app = run("In FastAPI")[0]["app"]
            status, _, page = post(app, "/", b"", method="GET")
        self.assertEqual(status, 200)
        # The page sets a card's data, and needs no more.
        self.assertIn(b"const { text, ad } = response.ok", page)
        self.assertIn(b"card.data = ad;", page)
        question = json.dumps({"messages": [{"role": "user", "content": RUNNING}]}).encode()
        status, _, body = post(app, "/api/chat", question)
        answer = json.loads(body)
        self.assertEqual((status, answer["ad"]["disclosure"]), (200, "Sponsored"))
        self.assertIn("soft pair", answer["text"])
        token = json.dumps({"token": answer["ad"]["token"]}).encode()
        status, headers, body = post(app, "/api/sponsored", token)
        self.assertEqual(
            (status, headers["cache-control"], json.loads(body)["advertiser"]), (200, "no-store", "Fleet Feet")
        )
        self.assertEqual(post(app, "/api/sponsored", b"{}")[0], 404)
        greeting = json.dumps({"messages": [{"role": "user", "content": "Hi!"}]}).encode()
        self.assertIsNone(json.loads(post(app, "/api/chat", greeting)[2])["ad"])

    def test_shows_a_runnable_of_ten_lines_that_answers_with_an_ad(self):
        lines = [line for line in SECTIONS["In LangChain"].splitlines() if line.strip()]
        self.assertLessEqual(len(lines), 10)
        with_ads = run("In LangChain")[0]["with_ads"]
        # Some models answer with a list of parts.
        for content in ("Soft ones.", [{"type": "text", "text": "Soft ones."}]):
            model = types.SimpleNamespace(invoke=lambda _, given=content: types.SimpleNamespace(content=given))
            answer = with_ads(model).invoke([("human", RUNNING)])
            self.assertRegex(answer, r"^Soft ones\.\n\n---\n\n\*Sponsored")

    @unittest.skipUnless(has_fastapi, "FastAPI is not installed")
    def test_shows_a_receiver_that_takes_signed_webhooks_only(self):
        expected = read_expected()
        body, headers = expected["freshDelivery"]
        event = json.loads(body)
        with mock.patch.dict("os.environ", {"WEBHOOK_SECRET": expected["secrets"][1]}):
            app = run("Webhooks")[0]["app"]
            with contextlib.redirect_stdout(io.StringIO()) as output:
                self.assertEqual(post(app, "/webhooks", body.encode(), headers.items())[0], 204)
                self.assertEqual(post(app, "/webhooks", body.encode() + b" ", headers.items())[0], 400)
        self.assertEqual(output.getvalue(), f"{event['type']} {event['id']}\n")

    def test_shows_how_to_call_any_operation(self):
        variables, output = run("Everything else")
        self.assertEqual((variables["key"]["name"], output), ("My chatbot", ""))
        self.assertIsInstance(variables["report"], list)
