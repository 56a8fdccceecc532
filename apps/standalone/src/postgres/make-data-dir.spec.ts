import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assertCanMake, makeDataDir } from './make-data-dir.js';

describe('R90 a data folder that cannot be is said to be so', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'sluice-data-'));
  });
  afterEach(() => rmSync(dir, { recursive: true }));

  it('makes what is missing, and is content with what is there', () => {
    const wanted = join(dir, 'a/b/c');
    assertCanMake(wanted);
    expect(existsSync(join(dir, 'a'))).toBe(false);
    makeDataDir(wanted);
    makeDataDir(wanted);
    expect(statSync(wanted).isDirectory()).toBe(true);
  });

  it.each(['file', 'file/postgres'])('refuses a file, and what is below one (%s)', (path) => {
    writeFileSync(join(dir, 'file'), '');
    expect(() => assertCanMake(join(dir, path))).toThrow(/file is not a folder.*SLUICE_DATA_DIR/);
  });

  it('refuses /proc, where Node\'s recursive mkdir does not come back', () => {
    expect(() => makeDataDir('/proc/sluice/data/postgres')).toThrow(/SLUICE_DATA_DIR/);
  });
});
