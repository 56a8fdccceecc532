import type { Caller } from '@sluice/middleware';
import type { IncomingHttpHeaders } from 'node:http';

/** What belongs to one connection (RFC 9110, section 7.6.1), or to us alone, and is not sent on. */
const DROPPED: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'proxy-authorization', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'http2-settings'],
  // The client library puts the upstream's own name there.
  'host',
  // The body is read only when the upstream takes it, so we have answered this one ourselves.
  'expect',
  // A secret; the upstream gets who the caller is instead.
  'x-api-key',
  // A client's word about its address, which we cannot vouch for.
  'forwarded',
]);

/** Names the caller to the upstream; whatever a client sends under these names is dropped (R77). */
const IDENTITY_PREFIX = 'sluice-';

/** What the gateway says itself, below. */
const SAID: ReadonlySet<string> = new Set(['x-forwarded-for', 'x-real-ip', 'x-request-id', 'x-forwarded-proto', 'x-forwarded-host']);

/** Whether a client's field ends here. CGI and its heirs take `_` for `-`, so that `Sluice_Key_Id` would be ours in an upstream's eyes. */
function isDropped(name: string): boolean {
  if (!name.includes('_')) return DROPPED.has(name) || name.startsWith(IDENTITY_PREFIX);
  const dashed = name.replaceAll('_', '-');
  return SAID.has(dashed) || isDropped(dashed);
}

export interface UpstreamRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly caller: Caller | undefined;
  readonly requestId: string;
  /** Client as `clientAddress` says. */
  readonly address: string;
  /** Peer of the connection. */
  readonly peer: string;
  /** Whether the client's X-Forwarded-For was believed; otherwise it ends here. */
  readonly peerTrusted: boolean;
  readonly host: string | undefined;
}

/** The fields of the request to the upstream. */
export function upstreamRequestHeaders(request: UpstreamRequest): IncomingHttpHeaders {
  const headers: IncomingHttpHeaders = {};
  // What it names is for this hop alone.
  const named = request.headers.connection?.toLowerCase().split(',').map((name) => name.trim());
  // By name and not by entries: no array is made of each field.
  for (const name in request.headers) if (!isDropped(name) && !named?.includes(name)) headers[name] = request.headers[name];
  if (request.method === 'GET' || request.method === 'HEAD') {
    // Their bodies are not sent on, so neither is what describes one.
    delete headers['content-length'];
    delete headers['content-type'];
  }
  const before = request.peerTrusted ? headers['x-forwarded-for'] : undefined;
  headers['x-forwarded-for'] = before === undefined ? request.peer : `${String(before)}, ${request.peer}`;
  headers['x-real-ip'] = request.address;
  headers['x-request-id'] = request.requestId;
  if (!request.peerTrusted || headers['x-forwarded-proto'] === undefined) headers['x-forwarded-proto'] = 'http';
  if (!request.peerTrusted || headers['x-forwarded-host'] === undefined) {
    delete headers['x-forwarded-host'];
    if (request.host !== undefined) headers['x-forwarded-host'] = request.host;
  }
  if (request.caller !== undefined) {
    headers['sluice-key-id'] = request.caller.keyId;
    headers['sluice-tenant-id'] = request.caller.tenantId;
    headers['sluice-plan'] = request.caller.plan;
  }
  return headers;
}
