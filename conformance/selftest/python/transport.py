"""HTTP/1.1 around a service: reads whole requests, keeps connections, sends whole answers."""

import sys
import threading
import traceback
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from service import Answer, Request


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1  # one write for head and body
    timeout = 120

    def setup(self):
        super().setup()
        self.kept = {"requests": 0}

    def read_body(self):
        if "chunked" not in self.headers.get("Transfer-Encoding", "").lower():
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        body = b""
        while size := int(self.rfile.readline().split(b";")[0], 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        while self.rfile.readline().strip():
            pass  # trailers
        return body

    def serve(self):
        body = self.read_body()
        self.kept["requests"] += 1
        path, _, query = self.path.partition("?")
        request = Request(self.command, path, query, self.headers, body, self.kept)
        try:
            answer = self.server.service.answer(request)
        except Exception:
            traceback.print_exc(file=sys.stderr)
            answer = Answer(500, b'{"error": "Internal error"}', {"Content-Type": "application/json"})
        self.send(answer)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = do_OPTIONS = serve

    def send(self, answer):
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        if answer.close:
            self.send_header("Connection", "close")
        if answer.chunked:
            self.send_header("Transfer-Encoding", "chunked")
        elif answer.status != 204 and not answer.until_close:
            length = len(answer.body) if answer.length is None else answer.length
            self.send_header("Content-Length", str(length))
        self.end_headers()
        if self.command == "HEAD":
            return
        self.wfile.write(in_chunks(answer.body) if answer.chunked else answer.body[: answer.length])

    def log_message(self, *arguments):
        pass


def in_chunks(body):
    parts = [body[start:start + 700] for start in range(0, len(body), 700)]
    return b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request, client_address):
        pass  # a client that went away, or sent no HTTP


def start(service, port=0):
    """Serve on 127.0.0.1 in a thread of its own; answers the base URL."""
    server = Server(("127.0.0.1", port), Handler)
    server.service = service
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 5}, daemon=True).start()
    return f"http://127.0.0.1:{server.server_address[1]}"
