import { connect } from 'node:net';

/** Begins a request whose body never comes to its end, as a client does that hangs. Whoever serves it has it in flight until it gives up. */
export function halfARequest(url: string, headers: Readonly<Record<string, string>>): Promise<void> {
  const { hostname, port, pathname } = new URL(url);
  const fields = Object.entries({ host: hostname, 'content-type': 'application/json', 'content-length': '100', ...headers });
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(`POST ${pathname} HTTP/1.1\r\n${fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n{`, () => resolve());
    });
    socket.on('error', reject); // After it was sent nobody listens: the server may cut it.
    socket.unref();
  });
}
