import { createServer } from 'node:net';
import { assertPortsFree } from './assert-ports-free.js';

describe('R90 ports are looked at before anything is touched', () => {
  const host = '127.0.0.1';
  const listenOn = (port: number) =>
    new Promise<{ port: number; close: () => Promise<unknown> }>((resolve) => {
      const server = createServer().listen(port, host, () => {
        const address = server.address();
        resolve({ port: typeof address === 'object' ? (address?.port ?? 0) : 0, close: () => new Promise((closed) => server.close(closed)) });
      });
    });

  it('names who is to move: the one variable when others have the port, both when two of ours are equal', async () => {
    const { port, close } = await listenOn(0);
    const wanted = [{ variable: 'SLUICE_A_PORT', host, port }, { variable: 'SLUICE_B_PORT', host, port }];
    await expect(assertPortsFree(wanted)).rejects.toThrow(/is taken.*SLUICE_A_PORT\n.*is taken.*SLUICE_B_PORT$/);
    await close();
    await expect(assertPortsFree(wanted)).rejects.toThrow(new RegExp(`^SLUICE_A_PORT and SLUICE_B_PORT both say port ${port}: [^\\n]*$`));
    await assertPortsFree(wanted.slice(0, 1));
  });

  it('takes 0 for any port, as often as it is said', async () => {
    await assertPortsFree(['SLUICE_A_PORT', 'SLUICE_B_PORT'].map((variable) => ({ variable, host, port: 0 })));
  });
});
