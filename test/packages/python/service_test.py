"""The client against the running service, and what the JavaScript packages make of the same input."""

import json
import os
import unittest

import conversation_ads
from conversation_ads import AdsError, Client, WebhookError

RUNNING = "Which running shoes would you recommend for a beginner?"


def read_expected():
    """What the JavaScript packages and the service make, from python.test.ts."""
    with open(os.environ["EXPECTED"], encoding="utf-8") as file:
        return json.load(file)


def create_client():
    """With a key of its own, because of the rate limits."""
    account = Client(user_id="python")
    key = account.request("POST", "/api/v1/auth/api-keys", body={"name": "Python"})
    return account, Client(api_key=key["key"]), key["id"]


class Service(unittest.TestCase):
    def test_answers_a_bid_its_ad_and_the_click(self):
        _, ads, _ = create_client()
        bid = ads.bid([("user", RUNNING)], "US", conversation={"id": "c1", "turn": 1}, variant="B", timeout=60)
        self.assertGreater(bid.bid, 0)
        ad = ads.ad(bid.bid_id, timeout=60)
        self.assertEqual((ad.label, ad.advertiser), ("Sponsored", "Fleet Feet"))
        for part in (ad.headline, ad.description, ad.call_to_action):
            self.assertTrue(part and part in ad.ad_text, part)
        tracking_id = ad.redirect_url.rsplit("/", 1)[1]
        self.assertIsNone(ads.request("GET", "/api/v1/click/{id}", params={"id": tracking_id}))
        ads.feedback(ad)

    def test_says_why_there_is_no_bid(self):
        _, ads, _ = create_client()
        none = ads.bid([("user", "Tell me a joke about penguins")], "US", timeout=60)
        self.assertEqual((none.code, none.meaning), ("no_commercial_context", "Nothing commercial is being discussed."))

    def test_refuses_with_a_code_and_details(self):
        cases = [
            (Client(api_key="ak_live_unknown"), "US", "unauthorized", 401),
            (create_client()[1], "Moon", "invalid", 400),
        ]
        for ads, country, code, status in cases:
            with self.assertRaises(AdsError) as caught:
                ads.bid([("user", RUNNING)], country, timeout=60)
            error = caught.exception
            self.assertEqual((error.code, error.status), (code, status))
            self.assertTrue(error.request_id)
        self.assertEqual(error.details[0]["path"], "countryCode")
        self.assertIn("countryCode must be a two-letter", str(error))

    def test_does_not_confuse_responses_on_a_reused_connection(self):
        account, ads, id = create_client()
        for _ in range(3):
            self.assertEqual(account.request("GET", "/api/v1/auth/api-keys/{id}", params={"id": id})["id"], id)
            with self.assertRaises(AdsError):
                ads.ad("unknown", timeout=60)

    def test_returns_a_report_as_csv(self):
        account, _, id = create_client()
        csv = account.request("GET", "/api/v1/auth/api-keys/{id}/report", params={"id": id}, accept="text/csv")
        self.assertRegex(csv, r"^date,requests,")


class LikeJavaScript(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.expected = read_expected()

    def test_has_the_version_of_the_packages(self):
        self.assertEqual(conversation_ads.__version__, self.expected["version"])

    def test_signs_tokens(self):
        for bid_id, key, token in self.expected["tokens"]:
            self.assertEqual(conversation_ads.sign_token(bid_id, key), token)
            self.assertEqual(conversation_ads.verify_token(token, key), bid_id)
            wrong = [token + "0", token[:-1], token.upper(), token.replace(".", ". "), "", "x." + token.split(".")[1]]
            self.assertEqual([conversation_ads.verify_token(one, key) for one in wrong], [None] * 6)
            self.assertIsNone(conversation_ads.verify_token(token, key + "x"))

    def test_makes_parts(self):
        part = self.expected["part"]
        ads = Client(api_key=self.expected["key"])
        bid_id = part["id"][len("sponsored-") :]
        made = ads.sponsored_part(conversation_ads.Bid(bid_id, 4.25, self.expected["partExpires"]))
        self.assertEqual(made, part)

    def test_answers_cards(self):
        ads = Client(api_key=self.expected["key"])
        for card in self.expected["cards"]:
            answer = ads.answer_card(card["body"], card["method"])
            given = {"status": answer.status, "headers": answer.headers, "body": answer.body}
            self.assertEqual(given, card["answer"], card)
            self.assertEqual(ads.answer_card(card["body"].encode(), card["method"]), answer)
        token = json.loads(self.expected["cards"][0]["body"])["token"]
        down = Client("http://127.0.0.1:9", api_key=self.expected["key"])
        answer = down.answer_card(json.dumps({"token": token}))
        self.assertEqual((answer.status, answer.headers["retry-after"]), (503, "5"))

    def test_converts_conversations(self):
        for prompt, messages in self.expected["conversations"]:
            self.assertEqual(conversation_ads.to_conversation(prompt), messages or [], prompt)

    def test_writes_ads_as_text(self):
        for shown, *texts in self.expected["texts"]:
            ad = conversation_ads.Ad(
                ad_text="",
                redirect_url=shown["url"],
                label=shown["disclosure"],
                advertiser=shown["advertiser"],
                headline=shown["headline"],
                description=shown["description"],
                call_to_action=shown["callToAction"],
                image_url=shown.get("imageUrl"),
            )
            made = [conversation_ads.to_markdown(ad), conversation_ads.to_text(ad), conversation_ads.to_html(ad)]
            self.assertEqual(made, texts, shown)
        for answer, with_ad, without_ad in self.expected["suffixes"]:
            made = conversation_ads.append_ad(answer, ad, lambda _: "Ad: https://ads.test/api/v1/click/1")
            self.assertEqual(made, with_ad)
            self.assertEqual(conversation_ads.to_conversation([("user", "Hi"), ("assistant", made)]), without_ad)
        for text, without_ad in self.expected["changed"]:
            messages = conversation_ads.to_conversation([("user", "Hi"), ("assistant", text)])
            self.assertEqual(messages, without_ad, text)

    def test_verifies_webhooks(self):
        old, current, stranger = self.expected["secrets"]
        now = self.expected["now"]
        for body, headers in self.expected["deliveries"]:
            for scheme in ("standard", "service-signature"):

                def verify(body=body, headers=headers, secret=current, now=now, scheme=scheme, **options):
                    return conversation_ads.verify_webhook(
                        body, headers, secret, scheme=scheme, now=lambda: now, **options
                    )

                self.assertEqual(verify(), json.loads(body))
                upper = {name.upper(): value for name, value in headers.items()}
                for options in ({"body": body.encode()}, {"headers": upper}, {"secret": [stranger, old]}):
                    self.assertEqual(verify(**options), json.loads(body))
                refused = [
                    ("bad_signature", {"body": body + " "}),
                    ("bad_signature", {"secret": stranger}),
                    ("missing_header", {"headers": {}}),
                    ("bad_secret", {"secret": ""}),
                    ("bad_secret", {"secret": [current, ""]}),
                    ("bad_secret", {"secret": []}),
                    ("bad_secret", {"secret": None}),
                    ("bad_body", {"body": json.loads(body)}),
                    ("missing_header", {"headers": None}),
                ]
                if scheme == "standard":
                    refused += [
                        ("too_old", {"now": now + 301}),
                        ("too_new", {"now": now - 302}),
                        ("bad_timestamp", {"headers": {**headers, "webhook-timestamp": "x"}}),
                        ("bad_signature", {"headers": {**headers, "webhook-timestamp": str(now + 10)}}),
                        ("bad_signature", {"headers": {**headers, "webhook-id": "evt_2"}}),
                        ("bad_signature", {"headers": {**headers, "webhook-signature": "v1a,x v1,%%% v1,é"}}),
                        ("missing_header", {"headers": {"service-signature": headers["service-signature"]}}),
                        ("bad_secret", {"secret": "whsec_%%%"}),
                    ]
                    self.assertTrue(verify(now=now + 301, tolerance_seconds=301))
                else:
                    refused.append(("bad_signature", {"headers": {"service-signature": "sha256=é, x"}}))
                    self.assertTrue(verify(now=now + 9_999))
                with self.assertRaisesRegex(ValueError, "scheme must be"):
                    verify(scheme="Standard")
                for code, options in refused:
                    with self.assertRaises(WebhookError) as caught:
                        verify(**options)
                    self.assertEqual(caught.exception.code, code, options)
