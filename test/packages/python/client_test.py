"""The client against a faulty server."""

import asyncio
import email.utils
import gc
import logging
import pickle
import socket
import ssl
import threading
import time
import unittest
from unittest import mock

import conversation_ads
from conversation_ads import Ad, AdsError, Bid, Client, NoBid, append_ad, remove_ad, to_html, to_markdown, to_text
from faulty_server import FaultyServer, answer_with, limited, ok, reset, unavailable

BID = {"bid": 4.25, "bidId": "b1"}
HELLO = [{"role": "user", "content": "Which running shoes?"}]
AD = {
    "adText": "Shoes. Soft. Buy now",
    "redirectUrl": "https://ads.test/api/v1/click/t1",
    "imageUrl": "https://ads.test/shoe.png",
    "feedbackUrl": "https://elsewhere.test/api/v1/feedback/f1.s1",
    "viewableUrl": "https://ads.test/api/v1/viewable/v1",
    "nativeAd": {
        "assets": [
            {"id": 1, "title": {"text": "Shoes"}},
            {"id": 2, "data": {"type": 2, "value": "Soft."}},
            {"id": 3, "data": {"type": 12, "value": "Buy now"}},
        ],
        "ext": {"disclosure": {"label": "Sponsored", "advertiser": "Fleet Feet"}},
    },
}


def health(server, **options):
    return Client(server.url, "ak_live_secret").request("GET", "/api/v1/health", **options)


class WithoutPauses(unittest.TestCase):
    def setUp(self):
        for name, value in (("random.random", lambda: 0), ("time.sleep", self.slept)):
            patch = mock.patch(name, value)
            patch.start()
            self.addCleanup(patch.stop)
        self.pauses = []

    def slept(self, seconds):
        self.pauses.append(seconds)

    def fails(self, code, call, *args, **options):
        with self.assertRaises(AdsError) as caught:
            call(*args, **options)
        self.assertEqual(caught.exception.code, code)
        return caught.exception

    def serve(self, *answers):
        server = FaultyServer(*answers)
        self.addCleanup(server.__exit__)
        return server


class Retries(WithoutPauses):
    def test_repeat_a_read_after_each_fault_that_may_pass(self):
        for fault in (limited, unavailable, answer_with(502, b"<html>"), reset, b"garbage\r\n\r\n"):
            server = self.serve(fault, fault, ok)
            self.assertEqual(health(server), {"status": "ok"})
            self.assertEqual(len(server.requests), 3)

    def test_end_after_two_or_as_many_as_the_caller_allows(self):
        server = self.serve(*[limited] * 9)
        error = self.fails("rate_limited", health, server)
        facts = (error.status, error.error, str(error), error.request_id, error.retry_after)
        self.assertEqual(facts, (429, "Rate limit exceeded", "Too many requests", "r1", None))
        self.assertEqual(len(server.requests), 3)
        self.fails("rate_limited", health, server, retries=0)
        self.assertEqual(len(server.requests), 4)

    def test_never_repeat_what_could_take_effect_twice(self):
        for route in ("POST /api/v1/ssp/bid", "PATCH /api/v1/campaigns/c", "POST /api/v1/webhooks/w/test"):
            for fault in (unavailable, reset):
                server = self.serve(fault)
                with self.assertRaises(AdsError):
                    Client(server.url).request(*route.split(" "), body={}, idempotency_key="ignored")
                self.assertEqual(len(server.requests), 1)

    def test_repeat_any_rate_limited_request_because_it_had_no_effect(self):
        server = self.serve(limited, answer_with(200, BID))
        self.assertEqual(Client(server.url).bid(HELLO, "US").bid, 4.25)

    def test_repeat_creations_with_a_key_of_their_own(self):
        for path in ("/api/v1/campaigns", "/api/v1/auth/api-keys", "/api/v1/webhooks"):
            server = self.serve(reset, unavailable, answer_with(201, {"id": "1"}), answer_with(201, {"id": "2"}))
            client = Client(server.url, user_id="u")
            self.assertEqual([client.request("POST", path, body={})["id"] for _ in range(2)], ["1", "2"])
            keys = [request["headers"]["idempotency-key"] for request in server.requests]
            self.assertRegex(keys[0], r"^[0-9a-f]{32}$")
            self.assertEqual(keys[:3], [keys[0]] * 3)
            self.assertNotEqual(keys[3], keys[0])

    def test_repeat_rotations_only_with_the_callers_key(self):
        for path in ("/api/v1/auth/api-keys/{id}/rotate", "/api/v1/webhooks/{id}/rotate-secret"):
            for key, count in ((None, 1), ("mine", 2)):
                server = self.serve(reset, ok)
                try:
                    Client(server.url).request("POST", path, params={"id": "x"}, idempotency_key=key)
                except AdsError:
                    pass
                self.assertEqual(len(server.requests), count)

    def test_repeat_previews_and_conversions_with_an_id(self):
        for path, body, count in (
            ("campaigns/preview", {}, 2),
            ("conversions/test", {}, 2),
            ("conversions", {"conversionId": "order-7"}, 2),
            ("conversions", {"clickId": "c"}, 1),
        ):
            server = self.serve(reset, ok)
            try:
                Client(server.url).request("POST", f"/api/v1/{path}", body=body)
            except AdsError:
                pass
            self.assertEqual(len(server.requests), count)

    def test_treat_a_404_as_success_if_an_earlier_deletion_may_have_taken_effect(self):
        gone = answer_with(404, {"message": "Campaign not found"})
        delete = ("DELETE", "/api/v1/campaigns/c")
        deleted = Client(self.serve(reset, gone).url).request(*delete)
        self.assertEqual(deleted, {"message": "Deleted by an attempt whose response was lost"})
        for answers in ([gone], [limited, gone], [reset, answer_with(404, b"<html>")]):
            self.fails("not_found", Client(self.serve(*answers).url).request, *delete)

    def test_report_a_secret_that_was_lost_with_the_first_response(self):
        replay = answer_with(201, {"id": "wh_1"}, idempotency_replayed="true")
        error = self.fails(
            "secret_lost", Client(self.serve(reset, replay).url).request, "POST", "/api/v1/webhooks", body={}
        )
        self.assertIn("wh_1 was created", str(error))
        own = Client(self.serve(replay).url).request("POST", "/api/v1/webhooks", body={}, idempotency_key="mine")
        self.assertEqual(own, {"id": "wh_1"})

    def test_wait_as_long_as_the_service_says_and_fail_at_once_if_that_is_too_long(self):
        date = email.utils.formatdate(time.time() + 4, usegmt=True)
        for value, low, high in (("2", 2, 2), (date, 1, 5), ("soon", 0, 0)):
            self.pauses.clear()
            health(self.serve(answer_with(429, {}, retry_after=value), ok))
            self.assertTrue(low <= self.pauses[0] <= high, self.pauses)
        server = self.serve(answer_with(429, {}, retry_after="60"), ok)
        self.assertEqual(self.fails("rate_limited", health, server).retry_after, 60)
        self.assertEqual(len(server.requests), 1)

    def test_pause_at_random_up_to_a_bound_that_doubles(self):
        with mock.patch("random.random", lambda: 1):
            health(self.serve(*[unavailable] * 6, ok), retries=6, timeout=100)
        self.assertEqual(self.pauses, [0.25, 0.5, 1, 2, 4, 8])


class Deadline(WithoutPauses):
    def no_thread_is_left(self):
        for thread in threading.enumerate():
            if thread.name == "conversation-ads":
                thread.join(30)
                self.assertFalse(thread.is_alive())

    def test_ends_a_call_of_a_server_that_does_not_answer(self):
        server = FaultyServer()
        with server:
            server.answers = [server.silence]
            error = self.fails("timeout", health, server, timeout=0.1)
            self.assertEqual(str(error), "No response within 100 ms")

    def test_ends_headers_and_bodies_that_arrive_byte_by_byte(self):
        server = FaultyServer()
        with server:
            # Minutes, if nobody ends them: the answers themselves are complete.
            long = answer_with(200, {}, x_long="x" * 9_000)
            server.answers = [server.drip(long), server.drip(answer_with(200, b"1" * 9_000))]
            for _ in range(2):
                self.fails("timeout", health, server, timeout=0.2)
            self.no_thread_is_left()

    def test_ends_a_resolver_that_hangs(self):
        resolved = threading.Event()
        self.addCleanup(resolved.set)
        with mock.patch("socket.getaddrinfo", lambda *_, **__: resolved.wait()):
            self.fails("timeout", Client("http://ads.invalid").request, "GET", "/", timeout=0.1)

    def test_ends_a_handshake_and_a_request_that_nobody_reads(self):
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)
        address = f"127.0.0.1:{listener.getsockname()[1]}"
        self.fails("timeout", Client(f"https://{address}").request, "GET", "/", timeout=0.1)
        large = {"text": "x" * 50_000_000}
        self.fails("timeout", Client(f"http://{address}").request, "POST", "/", body=large, timeout=0.2)
        self.no_thread_is_left()

    def test_includes_retries(self):
        server = FaultyServer()
        with server:
            # A hundred seconds, if each attempt had its own time.
            server.answers = [server.drip(unavailable, 0.001)] * 1_000 + [ok]
            with self.assertRaises(AdsError):
                health(server, timeout=0.3, retries=2_000)

    def test_leaves_time_for_the_next_address_of_a_host(self):
        server = self.serve(ok)
        port = int(server.url.rsplit(":", 1)[1])
        # The first address accepts no connection: its queue is full, or it refuses.
        full = socket.socket()
        self.addCleanup(full.close)
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        fillers = [socket.socket() for _ in range(3)]
        for filler in fillers:
            self.addCleanup(filler.close)
            filler.setblocking(False)
            filler.connect_ex(full.getsockname())
        addresses = [
            (socket.AF_INET, socket.SOCK_STREAM, 6, "", at) for at in (full.getsockname(), ("127.0.0.1", port))
        ]
        with mock.patch("socket.getaddrinfo", lambda *_, **__: addresses):
            self.assertEqual(Client("http://ads.invalid").request("GET", "/", timeout=2), {"status": "ok"})

    def test_must_be_a_positive_number(self):
        for timeout in (0, -1, float("nan")):
            with self.assertRaisesRegex(ValueError, "timeout must be more than 0 seconds"):
                Client("http://ads.test", timeout=timeout)
        self.assertEqual(health(self.serve(ok), timeout=float("inf")), {"status": "ok"})


class Responses(WithoutPauses):
    def test_that_are_not_json_are_unreadable(self):
        for answer in (
            answer_with(200, b"<!doctype html>"),
            answer_with(200, b"[" * 100_000),
            answer_with(200, b"\xff"),
        ):
            self.assertEqual(self.fails("unreadable", health, self.serve(answer)).status, 200)

    def test_that_end_too_early_are_lost(self):
        whole = answer_with(200, {"status": "ok"})
        chunked = b'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"a"'

        def cut(data):
            def answer(connection):
                connection.sendall(data)
                return False

            return answer

        for part in (whole[:-1], chunked):
            self.fails("network", health, self.serve(cut(part)), retries=0)

    def test_may_be_chunked_or_end_with_the_connection(self):
        chunked = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n[1\r\n1\r\n]\r\n0\r\n\r\n"
        self.assertEqual(health(self.serve(chunked)), [1])

        def until_closed(connection):
            connection.sendall(b"HTTP/1.0 200 OK\r\n\r\n[2]")
            return False

        self.assertEqual(health(self.serve(until_closed)), [2])

    def test_may_not_fill_the_memory(self):
        def endless(connection):
            connection.sendall(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n")
            while True:
                connection.sendall(b"100000\r\n" + b"x" * 0x100000 + b"\r\n")

        self.fails("unreadable", health, self.serve(endless), timeout=60)

    def test_that_redirect_are_not_followed(self):
        other = self.serve()
        server = self.serve(answer_with(302, b"", location=other.url), answer_with(301, b"", location=other.url))
        client = Client(server.url, "ak_live_secret")
        self.assertIsNone(client.request("GET", "/api/v1/click/t"))
        self.fails("unreadable", client.bid, HELLO, "US")
        self.assertEqual(other.requests, [])

    def test_without_the_services_body_take_the_message_from_the_status(self):
        for body in (b"null", b"<html>", b'"x"', b"[" * 100_000, b'{"details": 7}'):
            error = self.fails("forbidden", health, self.serve(answer_with(403, body)))
            self.assertEqual((str(error), error.details), ("Words", ()))

    def test_have_the_codes_of_the_javascript_client(self):
        codes = {
            400: "invalid",
            401: "unauthorized",
            404: "not_found",
            405: "method_not_allowed",
            409: "conflict",
            413: "too_large",
            415: "unsupported_media_type",
            418: "refused",
            500: "unavailable",
        }
        for status, code in codes.items():
            details = [{"path": "countryCode", "message": "Send one."}, {"path": "messages", "message": "Send some."}]
            server = self.serve(answer_with(status, {"message": "M", "details": [*details, "odd"]}))
            error = self.fails(code, health, server, retries=0)
            self.assertEqual((error.message, error.status, error.details), ("M", status, details))
            copy = pickle.loads(pickle.dumps(error))  # as between processes
            self.assertEqual((type(copy), vars(copy)), (AdsError, vars(error)))
            self.assertEqual(str(copy), "M: Send one. Send some.")


class Connections(WithoutPauses):
    def test_are_reused(self):
        server = self.serve()
        client = Client(server.url)
        for _ in range(3):
            client.request("GET", "/")
        self.assertEqual(server.connections, 1)
        client.close()
        self.assertTrue(server.closed.wait(60))
        self.assertEqual(client.request("GET", "/"), {"status": "ok"})
        server.closed.clear()
        del client
        gc.collect()
        self.assertTrue(server.closed.wait(60))

    def test_that_the_server_has_closed_are_opened_again_even_for_a_bid(self):
        def close_after(connection):
            connection.sendall(answer_with(200, BID))
            return False

        server = self.serve(close_after, answer_with(200, BID))
        client = Client(server.url)
        for _ in range(2):
            self.assertEqual(client.bid(HELLO, "US").bid_id, "b1")
            server.closed.wait(60)
        self.assertEqual(server.connections, 2)

    def test_that_are_idle_for_long_or_belong_to_a_parent_process_are_not_used(self):
        for name, value in (("_MAX_IDLE_SECONDS", -1), ("os.getpid", lambda: -1)):
            server = self.serve()
            client = Client(server.url)
            client.request("GET", "/")
            with mock.patch(name if "." in name else f"conversation_ads.{name}", value):
                client.request("GET", "/")
            self.assertEqual(server.connections, 2)

    def test_of_many_threads_do_not_mix_their_answers(self):
        def echo(connection):
            connection.sendall(answer_with(200, {"status": "ok"}))

        server = self.serve(*[echo] * 100)
        client = Client(server.url)
        seen = []

        def work(number):
            for step in range(5):
                seen.append(client.request("GET", f"/{number}/{step}"))

        threads = [threading.Thread(target=work, args=(number,)) for number in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(seen, [{"status": "ok"}] * 100)
        self.assertEqual(len({request["target"] for request in server.requests}), 100)

    def test_verify_the_certificate(self):
        context = Client("https://ads.test")._context
        self.assertEqual((context.verify_mode, context.check_hostname), (ssl.CERT_REQUIRED, True))


class Requests(WithoutPauses):
    def test_say_who_sends_them_and_carry_the_credentials(self):
        server = self.serve()
        Client(server.url + "/base/", "ak_live_secret", "alice").request(
            "GET", "/api/v1/campaigns", query={"limit": 2, "status": None, "report": True}
        )
        [request] = server.requests
        self.assertEqual(request["target"], "/base/api/v1/campaigns?limit=2&report=true")
        sent = {name: request["headers"].get(name) for name in ("user-agent", "x-api-key", "x-user-id", "content-type")}
        self.assertEqual(
            sent,
            {
                "user-agent": f"conversation-ads-python/{conversation_ads.__version__}",
                "x-api-key": "ak_live_secret",
                "x-user-id": "alice",
                "content-type": None,
            },
        )

    def test_encode_path_variables_and_refuse_those_that_would_address_something_else(self):
        server = self.serve()
        client = Client(server.url)
        client.request("get", "/api/v1/campaigns/{id}", params={"id": "a/b?c é"})
        self.assertEqual(server.requests[0]["method"], "GET")
        self.assertEqual(server.requests[0]["target"], "/api/v1/campaigns/a%2Fb%3Fc%20%C3%A9")
        for params in (None, {}, {"id": ""}, {"id": "."}, {"id": ".."}):
            with self.assertRaisesRegex(ValueError, r'GET /api/v1/campaigns/\{id\} needs params\["id"\]'):
                client.request("GET", "/api/v1/campaigns/{id}", params=params)
        for path in ("campaigns", "/a b", "/a\r\nx: y", "/é"):
            with self.assertRaisesRegex(ValueError, "path must start with /"):
                client.request("GET", path)

    def test_take_their_address_and_key_from_the_environment(self):
        server = self.serve()
        with mock.patch.dict("os.environ", {"ADS_URL": f"{server.url}\r", "ADS_KEY": " ak_live_env\n"}):
            Client().request("GET", "/")
            Client(api_key="ak_live_own").request("GET", "/")
        self.assertEqual([r["headers"]["x-api-key"] for r in server.requests], ["ak_live_env", "ak_live_own"])
        with mock.patch.dict("os.environ", {"ADS_URL": "", "ADS_KEY": " "}):
            with self.assertRaisesRegex(ValueError, "base_url is missing"):
                Client()
            with self.assertRaisesRegex(ValueError, "api_key is missing"):
                Client("http://ads.test").sponsored_part(Bid("b", 1, 1))

    def test_need_a_valid_address(self):
        for url in (
            "/ads",
            "ads.test",
            "localhost:3000",
            "ftp://a",
            "https://",
            "http://u:p@a",
            "http://a?b",
            "http://a:x",
            "http://[::1",
            "http://a b",
            "http://a/b c",
            "http://a/é",
        ):
            with self.assertRaisesRegex(ValueError, "^base_url "):
                Client(url)

    def test_refuse_a_broken_key_without_repeating_it(self):
        for key in ("", "ak_live_secret\n", "ak_live_sécret", " ak_live_secret"):
            with self.assertRaises(ValueError) as caught:
                Client("http://ads.test", key)
            self.assertNotIn("secret", str(caught.exception))

    def test_are_logged_without_the_key_and_the_conversation(self):
        details = [{"path": "messages.0.content", "message": "Which running shoes?"}]
        refusal = answer_with(400, {"message": "Which running shoes?", "details": details}, x_request_id="r1")
        server = self.serve(refusal, limited, answer_with(200, BID), reset)
        client = Client(server.url, "ak_live_secret")
        with self.assertLogs("conversation_ads", logging.DEBUG) as logs:
            for _ in range(3):
                client.start_bid(HELLO, "US", deadline=60).result()
            client.start_bid(HELLO, "US", regs={"text": {"shoes"}}).result()
        text = "\n".join(logs.output)
        self.assertRegex(text, r"DEBUG:conversation_ads:POST /api/v1/ssp/bid: 400 in \d+ ms, attempt 1")
        self.assertRegex(text, r"WARNING:conversation_ads:No bid: invalid \(messages.0.content r1\)")
        self.assertRegex(text, r"No bid: network \(No response received: \w+\)")
        self.assertRegex(text, r"No bid: invalid \(TypeError\)")
        self.assertRegex(text, r"POST /api/v1/ssp/bid: 200 in \d+ ms, attempt 2")
        self.assertNotRegex(text, "secret|shoes")


class Bids(WithoutPauses):
    def test_are_true_and_say_when_they_expire(self):
        server = self.serve(answer_with(200, BID))
        before = time.time()
        bid = Client(server.url, "k").bid(HELLO, "US", conversation={"id": "c"}, variant="B", regs={"coppa": 0})
        self.assertTrue(bid)
        self.assertEqual((bid.bid_id, bid.bid), ("b1", 4.25))
        self.assertTrue(before + 300 <= bid.expires_at <= time.time() + 300)
        self.assertEqual(
            conversation_ads.json.loads(server.requests[0]["body"]),
            {"countryCode": "US", "messages": HELLO, "conversation": {"id": "c"}, "variant": "B", "regs": {"coppa": 0}},
        )

    def test_that_are_none_are_false_and_say_why(self):
        reason = "no_match: No running campaign matches: none."
        server = self.serve(answer_with(200, None, x_no_bid_reason=reason), answer_with(200, None))
        client = Client(server.url, "k")
        none = client.bid(HELLO, "US")
        self.assertFalse(none)
        self.assertEqual(none, NoBid("no_match", "No running campaign matches: none."))
        self.assertEqual(client.bid(HELLO, "US"), NoBid("unknown", ""))
        self.assertEqual(client.bid([{"role": "system", "content": "Be nice"}], "US").code, "no_user_message")
        self.assertEqual(len(server.requests), 2)

    def test_raise_if_the_answer_is_something_else(self):
        for body in (b"", b"7", b"{}", b'{"bid": "x", "bidId": "b"}', b"[]"):
            self.fails("unreadable", Client(self.serve(answer_with(200, body)).url).bid, HELLO, "US")

    def test_next_to_a_model_never_raise(self):
        for answer, code in (
            (answer_with(401, {}), "unauthorized"),
            (reset, "network"),
            (answer_with(200, b"<"), "unreadable"),
        ):
            pending = Client(self.serve(answer).url).start_bid(HELLO, "US", deadline=60)
            self.assertEqual((pending.result().code, pending.ad()), (code, None))
        client = Client(self.serve().url)
        for messages, options in (
            (HELLO, {"deadline": 0}),
            (HELLO, {"variant": object()}),
            (None, {}),
            ([1, None], {}),
        ):
            self.assertFalse(client.start_bid(messages, "US", **options).result())
        with mock.patch("threading.Thread.start", side_effect=RuntimeError("can't start new thread")):
            self.assertEqual(client.start_bid(HELLO, "US").result().code, "network")

    def test_next_to_a_model_end_at_their_deadline(self):
        server = FaultyServer()
        with server:
            server.answers = [server.silence] * 2
            client = Client(server.url)
            pending = client.start_bid(HELLO, "US", deadline=0.1)
            self.assertEqual(pending.result().code, "timeout")
            resolved = threading.Event()
            with mock.patch("socket.getaddrinfo", lambda *_, **__: resolved.wait()):
                self.assertEqual(
                    Client("http://ads.invalid").start_bid(HELLO, "US", deadline=0.1).result().code, "timeout"
                )
            resolved.set()

    def test_take_the_conversation_as_it_is_when_they_start(self):
        server = self.serve(answer_with(200, BID))
        messages = list(HELLO)
        pending = Client(server.url).start_bid(messages, "US", deadline=60)
        messages.append({"role": "assistant", "content": "later"})
        self.assertTrue(pending.result())
        self.assertNotIn(b"later", server.requests[0]["body"])

    def test_get_their_ad_or_none_if_it_is_gone(self):
        gone = answer_with(404, {"message": "Bid not found or expired"})
        server = self.serve(answer_with(200, BID), answer_with(200, AD), answer_with(200, BID), gone)
        client = Client(server.url)
        self.assertEqual(client.start_bid(HELLO, "US", deadline=60).ad().headline, "Shoes")
        self.assertIsNone(client.start_bid(HELLO, "US", deadline=60).ad())


class Asyncio(WithoutPauses):
    def test_awaits_a_bid(self):
        async def chat(client, **options):
            return await client.start_bid(HELLO, "US", **options)

        self.assertEqual(asyncio.run(chat(Client(self.serve(answer_with(200, BID)).url), deadline=60)).bid_id, "b1")
        self.assertEqual(asyncio.run(chat(Client(self.serve(reset).url), deadline=60)).code, "network")
        self.assertEqual(asyncio.run(chat(Client(self.serve().url), variant=object(), deadline=60)).code, "invalid")

    def test_awaits_a_bid_that_has_arrived_long_ago(self):
        async def chat(client):
            pending = client.start_bid(HELLO, "US", deadline=60)
            while not pending._bid.future.done():
                await asyncio.sleep(0)
            pending._bid.deadline._until = 0
            return await pending

        self.assertTrue(asyncio.run(chat(Client(self.serve(answer_with(200, BID)).url))))

    def test_does_not_block_and_ends_at_the_deadline(self):
        server = FaultyServer()
        with server:
            server.answers = [server.silence]

            async def chat():
                ticks = []

                async def tick():
                    while True:
                        ticks.append(1)
                        await asyncio.sleep(0)

                ticking = asyncio.create_task(tick())
                bid = await Client(server.url).start_bid(HELLO, "US", deadline=0.2)
                ticking.cancel()
                return bid.code, len(ticks) > 2

            self.assertEqual(asyncio.run(chat()), ("timeout", True))

    def test_can_cancel_a_task_that_awaits_a_bid(self):
        release = threading.Event()

        def late(connection):
            release.wait(60)
            connection.sendall(answer_with(200, BID))

        server = self.serve(late, answer_with(200, BID))
        client = Client(server.url)

        async def chat():
            pending = client.start_bid(HELLO, "US", deadline=60)

            async def wait():
                return await pending

            task = asyncio.create_task(wait())
            await asyncio.sleep(0.01)
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task
            return pending

        with mock.patch("logging.Logger.error") as errors, mock.patch("logging.Logger.exception") as exceptions:
            pending = asyncio.run(chat())
            release.set()
            self.assertTrue(pending.result())  # goes on in its thread, and its connection stays usable
            self.assertTrue(client.bid(HELLO, "US"))
        self.assertEqual((errors.mock_calls, exceptions.mock_calls), ([], []))


class Ads(WithoutPauses):
    def test_have_their_parts_by_name(self):
        ad = Client(self.serve(answer_with(200, AD)).url).ad("b1")
        self.assertEqual(
            (ad.label, ad.advertiser, ad.headline, ad.description, ad.call_to_action, ad.redirect_url, ad.viewable_url),
            ("Sponsored", "Fleet Feet", "Shoes", "Soft.", "Buy now", AD["redirectUrl"], AD["viewableUrl"]),
        )

    def test_may_have_a_text_and_an_address_only(self):
        bare = {"adText": "Shoes", "redirectUrl": "https://a.test/"}
        ad = Client(self.serve(answer_with(200, bare)).url).ad("b1")
        self.assertEqual((ad.label, ad.headline, ad.description, ad.image_url), ("Sponsored", "Shoes", "", None))
        for body in (b"null", b"7", b"{}", b'{"adText": "a", "redirectUrl": "b", "nativeAd": 7}'):
            self.assertEqual(
                self.fails("unreadable", Client(self.serve(answer_with(200, body)).url).ad, "b1").status, 200
            )

    def test_take_feedback_at_the_service_only(self):
        server = self.serve(answer_with(200, AD), answer_with(204, b""))
        client = Client(server.url)
        client.feedback(client.ad("b1"))
        self.assertEqual(
            (server.requests[1]["method"], server.requests[1]["target"]), ("POST", "/api/v1/feedback/f1.s1")
        )


class Texts(unittest.TestCase):
    def ad(self, **parts):
        shown = {"headline": "Shoes", "description": "Soft.", "call_to_action": "Buy", "advertiser": "Fleet Feet"}
        return Ad(
            **{
                "ad_text": "A",
                "label": "Sponsored",
                "redirect_url": "https://ads.test/api/v1/click/t1",
                **shown,
                **parts,
            }
        )

    def test_show_a_labeled_ad_as_markdown_text_and_html(self):
        ad = self.ad(image_url="https://ads.test/a.png")
        link = "https://ads.test/api/v1/click/t1"
        self.assertEqual(to_markdown(ad), f"*Sponsored · Fleet Feet*  \n**Shoes**  \nSoft. [Buy]({link})")
        self.assertEqual(to_text(ad), f"Sponsored · Fleet Feet\nShoes\nSoft.\nBuy: {link}")
        self.assertEqual(
            to_html(ad),
            '<aside aria-label="Sponsored · Fleet Feet"><small>Sponsored · Fleet Feet</small><br>'
            '<img src="https://ads.test/a.png" alt=""><br><strong>Shoes</strong><br>Soft.<br>'
            f'<a href="{link}" rel="sponsored noopener noreferrer" target="_blank">Buy</a></aside>',
        )

    def test_let_no_text_of_an_advertiser_be_markup_a_mention_or_a_link(self):
        hostile = (
            '# <b>"x"\n\n*y* [z](javascript:1) @all <!channel> http://evil.example www.evil.example \x1b[31m\u202e'
        )
        ad = self.ad(headline=hostile, description=hostile, call_to_action=hostile, advertiser=hostile)
        for shown in (to_markdown(ad), to_text(ad)):
            self.assertNotRegex(shown, r"@all|<!channel|http://|www\.evil|evil\.example|\x1b|\u202e")
            self.assertEqual(shown.count("\n"), 2 if shown.startswith("*") else 3)
        self.assertNotRegex(to_markdown(ad), r"(?<!\\)<|(?<![\\*])\*y|(?<!\\)\[z")
        self.assertNotRegex(to_html(ad), r'<b>|"x"')

    def test_link_to_web_addresses_only(self):
        for url in ("javascript:alert(1)", "//ads.test", "https://", "https:///x", "", "data:text/html,x"):
            for show in (to_markdown, to_text, to_html):
                self.assertNotIn(url or "()", show(self.ad(redirect_url=url, image_url=url)))
        self.assertIn("](https://ads.test/%28a%29%20%3C)", to_markdown(self.ad(redirect_url="HTTPS://ads.test/(a) <")))

    def test_follow_an_answer_and_are_removed_from_it_before_the_next_bid(self):
        for answer in ("Soft ones.", "One\n\n---\n\ntwo", "```js\nlet a", ""):
            shown = append_ad(answer, self.ad())
            self.assertRegex(shown, r"\n\n---\n\n\*Sponsored · Fleet Feet\*")
            self.assertEqual(remove_ad(shown), answer + ("\n```" if "```" in answer else ""))
            self.assertEqual(remove_ad(shown.replace("\n", " \r\n")).replace(" \r\n", "\n"), remove_ad(shown))
            self.assertEqual(remove_ad(answer), answer)
            # As one text, or with the ad in a part of its own, as the AI SDK keeps it.
            for content in (shown, [answer, shown[len(remove_ad(shown)) :]]):
                kept = conversation_ads.to_conversation([("user", "Hi"), ("assistant", content)])
                self.assertNotIn("Fleet Feet", str(kept))
        self.assertEqual(append_ad("Soft ones.", None), "Soft ones.")
        # A model's message may contain parts, or nothing but calls of tools.
        parts = [{"type": "text", "text": "Soft "}, {"type": "tool_use", "name": "search"}, "ones."]
        for content, answer in ((parts, "Soft ones."), (None, "")):
            self.assertEqual(append_ad(content, None), answer)
            self.assertEqual(append_ad(content, self.ad()), append_ad(answer, self.ad()))
        with self.assertRaisesRegex(TypeError, "answer must be a text"):
            append_ad({"content": "Soft ones."}, None)
        self.assertEqual(append_ad("A", self.ad(), to_text).split("\n")[4], "Sponsored · Fleet Feet")

    def test_are_found_in_time_that_grows_with_the_length_of_an_answer(self):
        for part in ("---\n", "\n\n---\n\n", " ", "\n ", "\n> ", "* ", "```\n", "Sponsored", "/api/v1/click/"):
            text = part * (200_000 // len(part))
            started = time.monotonic()
            for answer in (text, f"Answer.\n\n{text}"):
                remove_ad(f"{answer}/api/v1/click/")
                append_ad(answer, self.ad())
            self.assertLess(time.monotonic() - started, 30, repr(part))  # minutes, if it grew with the square

    def test_close_only_the_code_that_an_answer_left_open(self):
        for answer, closed in (
            ("```\nx\n```", ""),
            ("~~~~\n```\n~~~", "\n~~~~"),
            ("   ````\n```` x\n", "\n````"),
            ("a ``` b", ""),
        ):
            self.assertTrue(append_ad(answer, self.ad()).startswith(f"{answer}{closed}\n\n---"), answer)


class Conversations(unittest.TestCase):
    def test_leave_out_all_but_the_texts_of_user_and_assistant(self):
        class Message:
            type = "ai"
            content = [{"type": "text", "text": " Hi "}, {"type": "image"}, {"type": "text", "text": "there"}, "!"]

        class Streamed(Message):
            type = "AIMessageChunk"

        class Prompt:
            def to_messages(self):
                return [Streamed(), ("human", "Shoes")]

        messages = [
            {"role": "system", "content": "S"},
            ("human", " Hello "),
            Message(),
            {"role": "tool", "content": "T"},
            {"role": "user", "content": None},
            {"role": "assistant", "content": 7},
            {"role": ["user"], "content": "L"},
            ("user",),
            7,
        ]
        expected = [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hi\nthere\n!"}]
        self.assertEqual(conversation_ads.to_conversation(messages), expected)
        prompt = [expected[1], {"role": "user", "content": "Shoes"}]
        self.assertEqual(conversation_ads.to_conversation(Prompt()), prompt)
        typed = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Shoes"}]}
        page = {"id": "m1", "role": "user", "parts": [{"type": "step-start"}, {"type": "text", "text": "Shoes"}]}
        for message in (typed, page):
            self.assertEqual(conversation_ads.to_conversation([message]), prompt[1:])
        self.assertEqual(conversation_ads.to_conversation("Shoes"), [{"role": "user", "content": "Shoes"}])
        self.assertEqual(conversation_ads.to_conversation([("ai", "Hello")]), [])

    def test_keep_the_end_within_the_limits_of_the_service(self):
        [one] = conversation_ads.to_conversation("a" + "😀" * 16_384)
        self.assertEqual(len(one["content"]), 16_384)
        [one] = conversation_ads.to_conversation("😀" * 16_384 + "a")
        self.assertEqual(one["content"], "😀" * 16_383 + "a")
        self.assertEqual(conversation_ads.to_conversation("a\ud800b")[0]["content"], "ab")
        many = [("user", str(number)) for number in range(1_500)]
        kept = conversation_ads.to_conversation(many)
        self.assertEqual((len(kept), kept[0]["content"], kept[-1]["content"]), (1_000, "500", "1499"))
        self.assertEqual(len(conversation_ads.to_conversation([("user", "x" * 40_000)] * 10)), 4)


if __name__ == "__main__":
    unittest.main()
