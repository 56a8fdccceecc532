import { portFault, StartError, type WantedPort } from '@sluice/platform';
import { createServer, type Server } from 'node:net';

/**
 * Looks before anything is started, so that a start that must fail touches nothing.
 *
 * @throws StartError that names every port that cannot be had, one that two parts want included
 */
export async function assertPortsFree(wanted: readonly WantedPort[]): Promise<void> {
  const held: Server[] = [];
  const ours = new Map<number, string>();
  const faults: string[] = [];
  for (const each of wanted) {
    const got = await listen(each);
    const other = ours.get(each.port);
    if (typeof got !== 'string') {
      held.push(got);
      if (each.port !== 0) ours.set(each.port, each.variable);
    } else if (other === undefined) faults.push(got);
    else faults.push(`${other} and ${each.variable} both say port ${each.port}: choose another for one of them`);
  }
  await Promise.all(held.map((server) => new Promise((closed) => server.close(closed))));
  if (faults.length > 0) throw new StartError(faults.join('\n'));
}

/** @returns the server, or why there is none */
function listen(wanted: WantedPort): Promise<Server | string> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', ({ code }: NodeJS.ErrnoException) => resolve(portFault(wanted, code)));
    server.listen({ host: wanted.host, port: wanted.port, exclusive: true }, () => resolve(server));
  });
}
