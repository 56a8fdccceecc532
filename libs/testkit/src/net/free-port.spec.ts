import { execFileSync } from 'node:child_process';
import { createServer } from 'node:net';
import { freePort, freePorts } from './free-port.js';

describe('freePort', () => {
  it('gives no port twice, outside the range of outgoing connections', async () => {
    const ports = await freePorts(100);
    expect(new Set(ports).size).toBe(100);
    for (const port of ports) expect(port).toBeLessThan(32_768);
  });

  it('gives a port that one can listen on', async () => {
    const port = await freePort();
    const server = createServer().listen(port, '127.0.0.1');
    await new Promise((resolve, reject) => server.once('listening', resolve).once('error', reject));
    server.close();
  });

  it('keeps its port from other processes as long as this one lives', async () => {
    const port = await freePort();
    const bind = `require('dgram').createSocket('udp4').on('error', (e) => { console.log(e.code); process.exit(); }).bind(${port}, '127.0.0.1', () => { console.log('bound'); process.exit(); })`;
    expect(execFileSync(process.execPath, ['-e', bind], { encoding: 'utf8' }).trim()).toBe('EADDRINUSE');
  });
});
