"""ClickHouse's HTTP interface, as far as @clickhouse/client uses it, in front of the real engine (chdb) in this process.

Usage: serve_chdb.py PORT DATA_DIR. With CHDB_USER and CHDB_PASSWORD in the environment only that user is let in.
"""

import base64
import json
import os
import re
import sys
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

from chdb.state.sqlitelike import connect

DATA_DIR = sys.argv[2]
USER = os.environ.get("CHDB_USER")
CREDENTIALS = f"{USER}:{os.environ.get('CHDB_PASSWORD', '')}"

# Parameters of the URL that are neither a setting nor a value of the query.
RESERVED = {"query", "database", "query_id", "session_id", "role", "user", "password", "default_format", "wait_end_of_query"}
# What a real server answers with instead of 500, by its own code of the error.
STATUS = {60: 404, 81: 404, 159: 408, 497: 403, 516: 403, 36: 400, 47: 400, 62: 400, 117: 400, 27: 400, 26: 400, 115: 404}
ENGINE_ERROR = re.compile(r"Code: (\d+)\. DB::", re.S)
FORMAT_CLAUSE = re.compile(r"\sFORMAT\s+(\w+)\s*;?\s*$", re.I)
IS_INSERT = re.compile(r"\s*INSERT\b", re.I)
IS_READ = re.compile(r"\s*(SELECT|WITH)\b", re.I)
# Formats whose chunks can be sent one after the other.
ROWS = {"JSONEachRow", "JSONCompactEachRow", "TabSeparated", "TSV", "CSV"}


class Truncated(Exception):
    """The client went away in the middle of what it sent."""


def literal(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def open_connection(params):
    """A connection is a session of its own, and costs less than a ms."""
    connection = connect(DATA_DIR)
    settings = [f"{name} = {literal(value)}" for name, value in params.items() if name not in RESERVED and not name.startswith("param_")]
    if settings:
        connection.query("SET " + ", ".join(settings))
    if "database" in params:
        connection.query("USE `" + params["database"].replace("\\", "\\\\").replace("`", "\\`") + "`")
    return connection


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Headers and body leave in one write each; with Nagle's algorithm the second would wait for the first one's acknowledgement.
    disable_nagle_algorithm = True

    def do_GET(self):
        if urlsplit(self.path).path == "/ping":
            self.whole(200, b"Ok.\n")
        else:
            self.whole(404, b"There is no handle here\n")

    def do_POST(self):
        params = dict(parse_qsl(urlsplit(self.path).query, keep_blank_values=True))
        connection = None
        try:
            if USER is not None and not self.admitted():
                raise RuntimeError(f"Code: 516. DB::Exception: {USER}: Authentication failed: password is incorrect, or there is no user with such name. (AUTHENTICATION_FAILED)")
            query = params.get("query", "")
            if IS_INSERT.match(query):
                connection = open_connection(params)
                self.insert(connection, query)
                return
            query += b"".join(self.body()).decode("utf-8", "surrogateescape")
            connection = open_connection(params)
            values = {name[len("param_"):]: value for name, value in params.items() if name.startswith("param_")}
            self.run(connection, query, values, params)
        except (Truncated, ConnectionError):
            self.close_connection = True
        except Exception as error:  # Whatever the engine says is the client's to read.
            self.fail(str(error))
        finally:
            if connection is not None:
                connection.close()

    def admitted(self):
        given = self.headers.get("Authorization", "")
        return given == "Basic " + base64.b64encode(CREDENTIALS.encode()).decode()

    def insert(self, connection, query):
        clause = FORMAT_CLAUSE.search(query)
        inserter = connection.send_insert(query[: clause.start()], clause.group(1))
        try:
            for piece in self.body():
                inserter.append(piece)
        except BaseException:
            inserter.cancel()
            raise
        written = inserter.finish()
        self.whole(200, b"", {"X-ClickHouse-Summary": json.dumps({"written_rows": str(written.rows_written), "written_bytes": str(written.bytes_written)})})

    def run(self, connection, query, values, params):
        clause = FORMAT_CLAUSE.search(query)
        form = clause.group(1) if clause else params.get("default_format", "TabSeparated")
        headers = {"X-ClickHouse-Format": form}
        if not (IS_READ.match(query) and form in ROWS):
            self.whole(200, connection.query(query, form, params=values).bytes(), headers)
            return
        rows = connection.send_query(query, form, params=values)
        try:
            # An error up to the first rows has a status of its own; one after them breaks the answer off.
            self.stream(next(rows, None), rows, headers)
        finally:
            rows.close()

    def stream(self, first, rows, headers):
        packer = zlib.compressobj(1, wbits=31) if "gzip" in self.headers.get("Accept-Encoding", "") else None
        self.send_response(200)
        for name, value in {**headers, "Transfer-Encoding": "chunked", **({"Content-Encoding": "gzip"} if packer else {})}.items():
            self.send_header(name, value)
        self.end_headers()
        try:
            while first is not None:
                self.chunk(packer.compress(first.bytes()) if packer else first.bytes())
                first = next(rows, None)
            if packer:
                self.chunk(packer.flush())
            self.wfile.write(b"0\r\n\r\n")
        except Exception:
            self.close_connection = True

    def chunk(self, data):
        if data:
            self.wfile.write(b"%x\r\n%b\r\n" % (len(data), data))

    def body(self):
        unpacker = zlib.decompressobj(wbits=31) if self.headers.get("Content-Encoding") == "gzip" else None
        for piece in self.pieces():
            piece = unpacker.decompress(piece) if unpacker else piece
            if piece:
                yield piece
        if unpacker:
            rest = unpacker.flush()
            if rest:
                yield rest

    def pieces(self):
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            yield self.exactly(int(self.headers.get("Content-Length", 0)))
            return
        while True:
            line = self.rfile.readline(64)
            if not line.endswith(b"\r\n"):
                raise Truncated
            size = int(line.split(b";")[0], 16)
            piece = self.exactly(size)
            self.exactly(2)
            if size == 0:
                return
            yield piece

    def exactly(self, size):
        data = self.rfile.read(size)
        if len(data) != size:
            raise Truncated
        return data

    def fail(self, message):
        found = ENGINE_ERROR.search(message)
        code = int(found.group(1)) if found else 1002
        # What was not read of the body would be taken for the next request.
        self.close_connection = True
        self.whole(STATUS.get(code, 500), message.encode("utf-8", "replace"), {"X-ClickHouse-Exception-Code": str(code)})

    def whole(self, status, body, headers=None):
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        if self.close_connection:
            self.send_header("Connection", "close")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """The engine's own errors are in the answers."""


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


# Opened before the port, so that who can connect is answered; held, since the engine shuts down with its last connection.
ENGINE = connect(DATA_DIR)
Server(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
