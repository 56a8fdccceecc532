import { createServer } from 'node:net';

/**
 * A process of its own: answers every request at once with the same small JSON. By hand on sockets, since it shares a processor with the
 * loader. Takes requests without a body alone. Prints its port.
 */
const BODY = '{"hello":"world","items":[1,2,3,4,5,6,7,8]}';
const ANSWER = Buffer.from(`HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nDate: Mon, 30 Nov 2026 12:00:00 GMT\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`);
const END_OF_HEAD = Buffer.from('\r\n\r\n');

const server = createServer({ noDelay: true }, (socket) => {
  let held = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    for (let end = held.indexOf(END_OF_HEAD); end >= 0; end = held.indexOf(END_OF_HEAD)) {
      held = held.subarray(end + END_OF_HEAD.length);
      socket.write(ANSWER);
    }
  });
  socket.on('error', () => socket.destroy());
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`${typeof address === 'object' && address !== null ? address.port : 0}\n`);
});
// It ends with the benchmark, however that ends.
process.stdin.on('end', () => process.exit()).resume();
