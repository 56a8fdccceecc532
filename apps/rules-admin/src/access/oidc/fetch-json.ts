const TIMEOUT_MS = 5_000;
/** A key set has a few keys of some hundred bytes. */
const MOST_BYTES = 262_144;

/**
 * A document of the issuer's, bounded in time and size. Redirects are not followed: they could lead from https to where anybody can answer.
 *
 * @throws Error when it cannot be had
 */
export async function fetchJson(url: string): Promise<object> {
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS), headers: { accept: 'application/json' } });
  if (!response.ok || response.body === null) throw new Error(`${url} answered ${response.status}`);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body) {
    bytes += chunk.byteLength;
    if (bytes > MOST_BYTES) throw new Error(`${url} sent more than ${MOST_BYTES} bytes`);
    chunks.push(chunk);
  }
  const document: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  if (typeof document !== 'object' || document === null) throw new Error(`${url} is no object`);
  return document;
}
