import { ContinueFilter } from './continue-filter.js';

const CONTINUE = 'HTTP/1.1 100 Continue\r\nX: y\r\n\r\n';
const HINTS = 'HTTP/1.1 103 Early Hints\r\nLink: </100>\r\n\r\n';
const FINAL = `HTTP/1.1 200 OK\r\nContent-Length: ${CONTINUE.length}\r\n\r\n${CONTINUE}`;

function filtered(filter: ContinueFilter, bytes: string, step = bytes.length): string {
  let out = '';
  for (let at = 0; at < bytes.length; at += step) {
    const chunk = Buffer.from(bytes.slice(at, at + step), 'latin1');
    filter.see(chunk);
    out += chunk.toString('latin1');
  }
  return out;
}

describe('R76 an interim answer that nobody asked for', () => {
  it.each([1, 2, 5, 11, 12, 13, 1000])('a 100 in front of an answer becomes a 102, in pieces of %i bytes, and a body that looks like one stays', (step) => {
    const filter = new ContinueFilter();
    for (let round = 0; round < 2; round += 1) {
      const processing = CONTINUE.replace('100', '102');
      expect(filtered(filter, CONTINUE + HINTS + CONTINUE + FINAL, step)).toBe(processing + HINTS + processing + FINAL);
      filter.expectHead();
    }
  });

  it('what is no HTTP stays as it is', () => {
    for (const bytes of ['nonsense\r\n\r\n', '\r\n\r\n', 'HTTP/1.1 100', 'HTTP/1.0 000 x']) expect(filtered(new ContinueFilter(), bytes)).toBe(bytes.replace(' 100', ' 102'));
  });
});
