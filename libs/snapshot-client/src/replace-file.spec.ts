import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { replaceFile } from './replace-file.js';

const MINUTE_MS = 60_000;

describe('R43 drafts of killed processes beside a file that is replaced', () => {
  let folder: string;
  let path: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-drafts-'));
    path = join(folder, 'snapshot.json');
  });
  afterEach(() => {
    jest.restoreAllMocks();
    rmSync(folder, { recursive: true, force: true });
  });

  function write(name: string, ageMs: number): void {
    writeFileSync(join(folder, name), 'part of it');
    const atS = (Date.now() - ageMs) / 1000;
    utimesSync(join(folder, name), atS, atS);
  }

  it('are removed once nobody can be writing them, and nothing else is', async () => {
    write('snapshot.json.0123456789ab', 11 * MINUTE_MS);
    write('snapshot.json.aaaaaaaaaaaa', 9 * MINUTE_MS);
    write('snapshot.json.keys', 11 * MINUTE_MS);
    write('snapshot.json.keys.0123456789ab', 11 * MINUTE_MS);
    write('snapshot.json.bak', 11 * MINUTE_MS);
    write('other.json.0123456789ab', 11 * MINUTE_MS);
    await replaceFile(path, 'whole');
    expect(readdirSync(folder).sort()).toEqual(['other.json.0123456789ab', 'snapshot.json', 'snapshot.json.aaaaaaaaaaaa', 'snapshot.json.bak', 'snapshot.json.keys', 'snapshot.json.keys.0123456789ab']);
    expect(readFileSync(path, 'utf8')).toBe('whole');
  });

  it('are removed later, when they were too young at the first write', async () => {
    const beforeMs = Date.now();
    write('snapshot.json.0123456789ab', 0);
    await replaceFile(path, 'first');
    expect(readdirSync(folder)).toHaveLength(2);
    jest.spyOn(Date, 'now').mockReturnValue(beforeMs + 9 * MINUTE_MS);
    await replaceFile(path, 'second');
    expect(readdirSync(folder)).toHaveLength(2);
    jest.spyOn(Date, 'now').mockReturnValue(beforeMs + 11 * MINUTE_MS);
    await replaceFile(path, 'third');
    expect(readdirSync(folder)).toEqual(['snapshot.json']);
  });
});
