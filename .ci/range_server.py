"""Serves the files below a folder as a good server does, with ranges, and writes down what was sent of which file.

range_server.py FOLDER LOG: prints the port that it listens to."""

import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1  # the header and the body in one packet

    def do_GET(self):
        path = os.path.join(folder, unquote(self.path).lstrip("/"))
        if not os.path.isfile(path):
            self.send_response(404)
            self.send_header("Content-Length", "0")
            return self.end_headers()
        with open(path, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            asked = self.headers.get("Range")
            first, last = asked.removeprefix("bytes=").split("-") if asked else (0, size - 1)
            start, end = int(first), min(int(last) + 1, size)
            if asked and start >= size:
                self.send_response(416)
                self.send_header("Content-Range", f"bytes */{size}")
                start = end = 0
            elif asked:
                self.send_response(206)
                self.send_header("Content-Range", f"bytes {start}-{end - 1}/{size}")
            else:
                self.send_response(200)
            self.send_header("ETag", f'"{size}-{os.fstat(file.fileno()).st_mtime_ns}"')
            self.send_header("Content-Length", str(end - start))
            self.end_headers()
            file.seek(start)
            self.wfile.write(file.read(end - start))
        with lock:
            print(self.path, start, end, file=log, flush=True)

    def log_message(self, *_):
        pass


folder, log, lock = sys.argv[1], open(sys.argv[2], "a"), threading.Lock()
server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
