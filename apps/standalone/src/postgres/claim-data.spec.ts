import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claimData } from './claim-data.js';
import { identify } from './process-identity.js';

describe('R90 one process at a time has the data', () => {
  let dir: string;
  const owner = () => join(dir, 'owner');

  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'sluice-claim-'));
  });
  afterEach(() => rmSync(dir, { recursive: true }));

  it('refuses the second, names the first, and leaves its claim; lets the next one in when it was given back', async () => {
    const giveBack = await claimData(dir);
    const claim = readFileSync(owner(), 'utf8');
    await expect(claimData(dir)).rejects.toThrow(`(process ${process.pid})`);
    expect(readFileSync(owner(), 'utf8')).toBe(claim);
    giveBack();
    expect(existsSync(owner())).toBe(false);
    (await claimData(dir))();
    expect(readdirSync(dir)).toEqual([]);
  });

  it('refuses while another process that has it is alive', async () => {
    const { pid, started } = identify(process.ppid);
    writeFileSync(owner(), `${pid} ${started}`);
    await expect(claimData(dir)).rejects.toThrow(`(process ${process.ppid})`);
  });

  it.each([
    ['a process that is gone', '999999999 1'],
    ['a process whose pid another one has now', `${process.ppid} 1`],
    ['nobody: the file is empty', ''],
  ])('takes over from %s', async (_what, text) => {
    writeFileSync(owner(), text);
    const giveBack = await claimData(dir);
    expect(readFileSync(owner(), 'utf8')).toMatch(new RegExp(`^${process.pid} `));
    giveBack();
  });
});
