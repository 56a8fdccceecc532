import type { Readable } from 'node:stream';
import type { Line } from './record.js';
import { textLines } from './text-lines.js';

/**
 * `203.0.113.7 - alice [30/Nov/2026:18:00:00 +0000] "GET /v1/items?page=2 HTTP/1.1" 200 512 …` (nginx and Apache, common and combined). Of what follows the path there is one way only to match it: with two, a line without a
 * closing quote takes the square of its length.
 */
const LINE = /^(\S+) \S+ .*?\[(\d{2})\/([A-Z][a-z]{2})\/(\d{4}):(\d{2}:\d{2}:\d{2}) ([+-]\d{2})(\d{2})\] "([A-Z]+) ([^" ]+)(?: [^"]*)?" (\d{3})/;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Lines of an access log; the key is the address, which is `ip` too. */
export async function* combinedLines(source: Readable): AsyncGenerator<readonly Line[]> {
  let number = 0;
  for await (const lines of textLines(source)) {
    yield lines.flatMap((text) => {
      number += 1;
      return text.trim() === '' ? [] : [read(text, number)];
    });
  }
}

function read(text: string, line: number): Line {
  const parts = LINE.exec(text);
  if (parts === null) return { line, fault: 'is no line of an access log in the common or combined format, with a method and a path' };
  const [, address, day, month = '', year, time, zoneHours, zoneMinutes, method, path, status] = parts;
  const monthNumber = MONTHS.indexOf(month) + 1;
  if (monthNumber === 0) return { line, fault: `has a month that is none: ${month}` };
  return { line, fields: { time: `${year}-${String(monthNumber).padStart(2, '0')}-${day}T${time}${zoneHours}:${zoneMinutes}`, key: address, ip: address, method, path, status: Number(status) } };
}
