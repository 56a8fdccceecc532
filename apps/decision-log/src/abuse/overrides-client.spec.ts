import { createServer } from 'node:http';
import { OverridesClient } from './overrides-client.js';

describe('R84 the control plane behind a path', () => {
  it.each(['/sluice', '/sluice/', ''])('is asked below it: %j', async (prefix) => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.setHeader('content-type', 'application/json').end('{"limit":7}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    try {
      expect(await new OverridesClient({ adminUrl: `http://127.0.0.1:${port}${prefix}`, token: 'token-1' }).limitOf('search')).toBe(7);
      expect(asked).toEqual([`${prefix.replace(/\/$/, '')}/v1/rules/search`]);
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });
});
