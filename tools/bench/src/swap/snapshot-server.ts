// A process of its own, so that serving is no part of what is measured. Its parent says by message what to serve, and hears when that is ready.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { snapshotChecksum } from '@sluice/rules';
import { changesAt, ruleSetAt } from './rule-set.js';

/** Asked for: a version, whole or as what changed since the one before. */
export interface ServeOrder {
  readonly version: number;
  readonly body: 'whole' | 'changes';
}

let body = Buffer.alloc(0);
let checksum = '';
let tag = '';

const server = createServer((_request, response) => {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip', ETag: tag, 'Sluice-Checksum': checksum }).end(body);
});

process.on('message', (order: ServeOrder) => {
  const snapshot = ruleSetAt(order.version);
  body = gzipSync(JSON.stringify(order.body === 'whole' ? snapshot : changesAt(order.version)));
  checksum = snapshotChecksum(snapshot);
  tag = `"${order.version}"`;
  process.send?.({ bytes: body.length });
});
process.on('disconnect', () => process.exit());

server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
