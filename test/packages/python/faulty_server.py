"""A server that answers as a test tells it to, byte by byte if need be."""

import json
import socket
import threading


class FaultyServer:
    """Answers each request with the next of `answers`, and records the requests.

    An answer is bytes, or a function of the connection. A function that returns False closes it.
    """

    def __init__(self, *answers):
        self.answers = list(answers)
        self.requests = []
        self.connections = 0
        self.closed = threading.Event()
        self._stopping = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._stopping.set()
        self._listener.close()

    def _accept(self):
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        with connection, connection.makefile("rb") as reader:
            try:
                while self._read(reader) and self._answer(connection) is not False:
                    pass
            except OSError:
                pass
        connection.close()
        self.closed.set()

    def _read(self, reader):
        line = reader.readline().decode()
        if not line:
            return False
        headers = {}
        while True:
            name, colon, value = reader.readline().decode().rstrip("\r\n").partition(": ")
            if not colon:
                break
            headers[name.lower()] = value
        body = reader.read(int(headers.get("content-length", 0)))
        method, target, _ = line.split(" ")
        self.requests.append({"method": method, "target": target, "headers": headers, "body": body})
        return True

    def _answer(self, connection):
        answer = self.answers.pop(0) if self.answers else ok
        return connection.sendall(answer) if isinstance(answer, bytes) else answer(connection)

    def drip(self, data, seconds=0.02):
        """An answer that sends one byte after the other."""

        def answer(connection):
            for byte in data:
                connection.sendall(bytes([byte]))
                if self._stopping.wait(seconds):
                    return False

        return answer

    def silence(self, _connection):
        """An answer that never comes."""
        self._stopping.wait()
        return False


def answer_with(status, body, **headers):
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    lines = [f"HTTP/1.1 {status} Words", f"content-length: {len(content)}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode() + content


def reset(connection):
    """Ends the connection without an answer."""
    return False


ok = answer_with(200, {"status": "ok"})
limited = answer_with(429, {"error": "Rate limit exceeded", "message": "Too many requests"}, x_request_id="r1")
unavailable = answer_with(503, {"error": "Service unavailable", "message": "Try again"})
