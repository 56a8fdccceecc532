import { hash } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { snapshotChecksum } from '@sluice/rules';
import type { Snapshot } from '@sluice/rules';

/** A request as the control plane saw it. */
export interface SeenRequest {
  readonly url: string;
  readonly ifNoneMatch: string | undefined;
  readonly authorization: string | undefined;
  readonly atMs: number;
}

/** A real HTTP server that serves one snapshot as the control plane does, or whatever `answer` says. */
export interface ControlPlane {
  readonly url: string;
  readonly seen: SeenRequest[];
  snapshot: Snapshot;
  epoch: string | undefined;
  /** Sent for a request with `since`, when set. */
  delta: object | undefined;
  sendsChecksum: boolean;
  /** Further fields of each answer of the snapshot. */
  extraHeaders: Readonly<Record<string, string>>;
  /** Answers of `POST /v1/keys:lookup` by the key itself; the lookup names its hash. */
  readonly keys: Map<string, KeyRecord>;
  /** Takes the place of the snapshot's answer. */
  answer: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  close(): Promise<void>;
}

export interface KeyRecord {
  readonly key_id: string;
  readonly tenant_id: string;
  readonly plan: string;
  readonly disabled: boolean;
}

/** Two policies whose limits both equal the version, so that a mix of two snapshots would show. */
export function snapshotAt(version: number): Snapshot {
  const rule = { version, limit: version, window_seconds: 60 };
  return {
    version,
    plans: [{ plan_id: 'free' }],
    rules: [
      { ...rule, rule_id: 'one', plan: 'free', policy: 'one' },
      { ...rule, rule_id: 'two', plan: 'free', policy: 'two' },
    ],
    overrides: [],
  };
}

export function etagOf(snapshot: Snapshot): string {
  return `"v${snapshot.version}"`;
}

export async function startControlPlane(snapshot = snapshotAt(1)): Promise<ControlPlane> {
  const seen: SeenRequest[] = [];
  const plane: ControlPlane = { url: '', seen, snapshot, epoch: undefined, delta: undefined, sendsChecksum: true, extraHeaders: {}, keys: new Map(), answer: undefined, close: async () => {} };
  const server = createServer((request, response) => {
    const { url = '', headers } = request;
    seen.push({ url, ifNoneMatch: headers['if-none-match'], authorization: headers.authorization, atMs: performance.now() });
    if (plane.answer !== undefined) plane.answer(request, response);
    else if (url === '/v1/keys:lookup') lookUp(plane, request, response);
    else serve(plane, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return Object.assign(plane, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close });
}

function serve(plane: ControlPlane, request: IncomingMessage, response: ServerResponse): void {
  const { snapshot, delta, epoch, sendsChecksum, extraHeaders } = plane;
  for (const [name, value] of Object.entries(extraHeaders)) response.setHeader(name, value);
  response.setHeader('ETag', etagOf(snapshot));
  if (epoch !== undefined) response.setHeader('Sluice-Epoch', epoch);
  if (request.headers['if-none-match'] === etagOf(snapshot)) {
    response.writeHead(304).end();
    return;
  }
  if (sendsChecksum) response.setHeader('Sluice-Checksum', snapshotChecksum(snapshot));
  const body = delta !== undefined && (request.url ?? '').includes('since=') ? delta : snapshot;
  response.setHeader('Content-Type', 'application/json').end(JSON.stringify(body));
}

function lookUp({ keys }: ControlPlane, request: IncomingMessage, response: ServerResponse): void {
  let body = '';
  request.on('data', (chunk) => (body += chunk));
  request.on('end', () => {
    const { key_hash: wanted } = JSON.parse(body) as { key_hash: string };
    const found = [...keys].find(([key]) => hash('sha256', key, 'hex') === wanted)?.[1];
    response.writeHead(found === undefined ? 404 : 200, { 'Content-Type': 'application/json' }).end(JSON.stringify(found ?? {}));
  });
}

/** Waits until the condition holds. */
export async function settled(condition: () => boolean, timeoutMs = 5000): Promise<void> {
  const endMs = performance.now() + timeoutMs;
  while (!condition()) {
    if (performance.now() > endMs) throw new Error(`not so within ${timeoutMs} ms: ${condition.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
