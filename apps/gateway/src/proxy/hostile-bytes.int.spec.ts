import { setTimeout as pause } from 'node:timers/promises';
import { bytesTo } from '../../test/bytes-to.js';
import { answering, type RawUpstream, startRawUpstream } from '../../test/raw-upstream.js';
import { startStage, type Stage } from '../../test/running-gateway.js';

const KEY = 'Host: a\r\nX-Api-Key: demo-free\r\n';
/** What a request is to hide: the upstream must never see it. */
const HIDDEN = 'GET /hidden HTTP/1.1\r\nHost: a\r\nX-Hidden: 1\r\n\r\n';
const post = (fields: string, body: string): string => `POST /x HTTP/1.1\r\n${KEY}${fields}\r\n${body}`;

describe('R76 no request is hidden in another one', () => {
  let stage: Stage;
  let upstream: RawUpstream | undefined;
  afterEach(async () => {
    await stage.close();
    await upstream?.close();
    upstream = undefined;
  });

  it.each([
    ['a length and chunks', post('Content-Length: 6\r\nTransfer-Encoding: chunked\r\n', `0\r\n\r\n${HIDDEN}`)],
    ['chunks and a length', post('Transfer-Encoding: chunked\r\nContent-Length: 6\r\n', `0\r\n\r\n${HIDDEN}`)],
    ['two lengths', post(`Content-Length: 0\r\nContent-Length: ${HIDDEN.length}\r\n`, HIDDEN)],
    ['twice the same length', post('Content-Length: 0\r\nContent-Length: 0\r\n', HIDDEN)],
    ['a list of lengths', post(`Content-Length: 0, ${HIDDEN.length}\r\n`, HIDDEN)],
    ['a length with a sign', post('Content-Length: +0\r\n', HIDDEN)],
    ['a negative length', post('Content-Length: -1\r\n', HIDDEN)],
    ['a hexadecimal length', post('Content-Length: 0x0\r\n', HIDDEN)],
    ['an empty length', post('Content-Length:\r\n', HIDDEN)],
    ['a length that overflows', post('Content-Length: 18446744073709551616\r\n', HIDDEN)],
    ['an unknown coding', post('Transfer-Encoding: xchunked\r\n', `0\r\n\r\n${HIDDEN}`)],
    ['chunks that are not last', post('Transfer-Encoding: chunked, identity\r\n', `0\r\n\r\n${HIDDEN}`)],
    ['identity and a length', post('Transfer-Encoding: identity\r\nContent-Length: 0\r\n', HIDDEN)],
    ['a blank before the colon', post('Transfer-Encoding : chunked\r\n', `0\r\n\r\n${HIDDEN}`)],
    ['a control character in the coding', post('Transfer-Encoding: \x0bchunked\r\n', `0\r\n\r\n${HIDDEN}`)],
    ['a folded coding', post('Transfer-Encoding:\r\n chunked\r\n', `0\r\n\r\n${HIDDEN}`)],
    ['a folded length', post('X: y\r\n Content-Length: 0\r\n', HIDDEN)],
    ['a chunk size with a prefix', post('Transfer-Encoding: chunked\r\n', `0x0\r\n\r\n${HIDDEN}`)],
    ['a negative chunk size', post('Transfer-Encoding: chunked\r\n', `-0\r\n\r\n${HIDDEN}`)],
    ['a chunk size that overflows', post('Transfer-Encoding: chunked\r\n', `10000000000000000\r\n\r\n${HIDDEN}`)],
    ['a chunk longer than it says', post('Transfer-Encoding: chunked\r\n', `2\r\nabcd\r\n0\r\n\r\n${HIDDEN}`)],
    ['a bare line feed behind a chunk size', post('Transfer-Encoding: chunked\r\n', `2\nab\r\n0\r\n\r\n${HIDDEN}`)],
    ['a bare line feed in a chunk extension', post('Transfer-Encoding: chunked\r\n', `2;a\nb\r\nab\r\n0\r\n\r\n${HIDDEN}`)],
    ['bare line feeds', `POST /x HTTP/1.1\n${KEY.replaceAll('\r', '')}Transfer-Encoding: chunked\n\n0\n\n${HIDDEN}`],
    ['a bare carriage return in a field', post('X: a\rContent-Length: 0\r\n', HIDDEN)],
    ['a NUL in a field', post('X: a\0b\r\n', HIDDEN)],
    ['a field without a colon', post('Nonsense\r\n', HIDDEN)],
    ['a blank in a field name', post('X Y: 1\r\n', HIDDEN)],
    ['a blank before the first field', `GET /x HTTP/1.1\r\n ${KEY}\r\n${HIDDEN}`],
    ['no version', `GET /x\r\n${HIDDEN}`],
    ['a version that is none', `GET /x HTTP/1.10\r\n${KEY}\r\n${HIDDEN}`],
    ['HTTP/2 by prior knowledge', `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${HIDDEN}`],
    ['CONNECT', `CONNECT a:80 HTTP/1.1\r\n${KEY}\r\n${HIDDEN}`],
  ])('%s is refused', async (_name, bytes) => {
    stage = await startStage();
    const answer = await bytesTo(stage.gateway.url, bytes, 'latin1');
    expect(answer === '' ? 'cut' : answer).toMatch(/^(?:HTTP\/1.1 (?:4\d\d|501) |cut$)/);
    await pause(20);
    expect(stage.upstream.seen.filter(({ url, headers }) => url !== '/x' || headers['x-hidden'] !== undefined)).toEqual([]);
    // The connections to the upstream are as good as before.
    expect(await (await stage.ask('/y', { method: 'PUT', body: 'abc' })).json()).toEqual({ method: 'PUT', url: '/y', bytes: 3 });
  });

  it('a body on GET is not sent on, and is no request of its own', async () => {
    stage = await startStage();
    const answer = await bytesTo(stage.gateway.url, `GET /x HTTP/1.1\r\n${KEY}Connection: close\r\nContent-Length: ${HIDDEN.length}\r\n\r\n${HIDDEN}`);
    expect(answer).toMatch(/^HTTP\/1.1 200 [^]*"bytes":0/);
    expect(stage.upstream.seen.map(({ url }) => url)).toEqual(['/x']);
    expect(stage.upstream.seen[0]?.headers).not.toHaveProperty('content-length');
  });

  it('pipelined requests are two, each identified by itself', async () => {
    stage = await startStage();
    const answer = await bytesTo(stage.gateway.url, `GET /1 HTTP/1.1\r\n${KEY}\r\nGET /2 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    expect(answer.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 401']);
    expect(stage.upstream.seen.map(({ url }) => url)).toEqual(['/1']);
  });

  it('what a client says about its connection stays there: the upstream gets one clean request', async () => {
    upstream = await startRawUpstream((socket, sofar) => {
      if (sofar.endsWith('ab') || sofar.includes('GET /2')) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    });
    stage = await startStage({ config: { upstreamUrl: upstream.url } });
    const fields = 'Connection: keep-alive, X-Hop, Sluice-Key-Id, X-Request-Id\r\nX-Hop: 1\r\nKeep-Alive: timeout=5\r\nProxy-Connection: keep-alive\r\nProxy-Authorization: x\r\nTE: trailers\r\nTrailer: X-Sum\r\nTransfer-Encoding: chunked\r\n';
    const answer = await bytesTo(stage.gateway.url, `${post(fields, '2\r\nab\r\n0\r\nX-Sum: 1\r\n\r\n')}GET /2 HTTP/1.1\r\n${KEY}Connection: close\r\n\r\n`);
    expect(answer.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200']);
    const [first = ''] = upstream.received().split('GET /2');
    expect(first).toMatch(/^POST \/x HTTP\/1.1\r\n/);
    // The whole was there before it was sent, so that its length is known.
    expect(first.match(/^content-length: 2\r$/gm)).toHaveLength(1);
    expect(first).toMatch(/\r\n\r\nab$/);
    for (const name of ['x-hop', 'keep-alive:', 'proxy-', 'te:', 'transfer-encoding', 'trailer', 'x-sum', 'x-api-key']) expect(first.toLowerCase().split('\r\n').filter((line) => line.startsWith(name))).toEqual([]);
    // Fields of ours cannot be struck out by naming them.
    expect(first).toMatch(/^sluice-key-id: k-free\r$/m);
    expect(first).toMatch(/^x-request-id: /m);
  });

  describe('answers of an upstream', () => {
    async function withAnswer(bytes: string): Promise<Stage> {
      upstream = await startRawUpstream(answering(bytes));
      return (stage = await startStage({ config: { upstreamUrl: upstream.url } }));
    }

    it('bytes behind an answer are not the answer of somebody else', async () => {
      const { ask } = await withAnswer('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil');
      for (let at = 0; at < 3; at += 1) {
        const response = await ask('/x').then((answer) => answer.text(), () => 'cut');
        expect(['ok', 'cut']).toContain(response);
      }
    });

    it.each([
      ['nonsense', 'nonsense\r\n\r\n'],
      ['a length and chunks', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n'],
      ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok!'],
      ['a folded field', 'HTTP/1.1 200 OK\r\nX: a\r\n b\r\nContent-Length: 2\r\n\r\nok'],
      ['fields without an end', `HTTP/1.1 200 OK\r\n${'X: y\r\n'.repeat(20_000)}Content-Length: 2\r\n\r\nok`],
      ['an agreement that nobody asked for', 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'],
    ])('%s is 502', async (_name, bytes) => {
      const { ask } = await withAnswer(bytes);
      const response = await ask('/x');
      expect(response.status).toBe(502);
      expect(response.headers.get('content-type')).toContain('application/problem+json');
    });

    it('interim answers are left out, and fields about the connection', async () => {
      const { ask } = await withAnswer(
        'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 200 OK\r\nConnection: keep-alive, X-Hop\r\nX-Hop: 1\r\nKeep-Alive: timeout=5\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n2\r\nok\r\n0\r\nX-Sum: 1\r\n\r\n',
      );
      const response = await ask('/x');
      expect(response.status).toBe(200);
      expect(await response.text()).toBe('ok');
      expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
      for (const name of ['x-hop', 'trailer', 'link']) expect(response.headers.get(name)).toBeNull();
    });

    it.each([
      ['HEAD', 'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\nETag: "e"\r\n\r\n', 200, '1000'],
      ['GET', 'HTTP/1.1 204 No Content\r\nETag: "e"\r\n\r\n', 204, null],
      ['GET', 'HTTP/1.1 304 Not Modified\r\nETag: "e"\r\n\r\n', 304, null],
    ])('an answer without a body to %s ends with its head: %j', async (method, bytes, status, length) => {
      const { ask } = await withAnswer(bytes);
      // Twice: the connection is as it should be afterwards.
      for (let at = 0; at < 2; at += 1) {
        const response = await ask('/x', { method });
        expect(response.status).toBe(status);
        expect(response.headers.get('etag')).toBe('"e"');
        expect(response.headers.get('content-length')).toBe(length);
        expect(await response.text()).toBe('');
      }
      // Behind HEAD the client library opens a new one: servers are known that send a body all the same.
      expect(upstream?.connections.length).toBe(method === 'HEAD' ? 2 : 1);
    });
  });
});
