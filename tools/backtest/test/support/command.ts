import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../src/index.js';

/** The command, run in this process, and a folder of its own for its files. */
export class Command {
  readonly folder = mkdtempSync(join(tmpdir(), 'sluice-backtest-'));

  async run(...args: readonly string[]): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
    let out = '';
    let err = '';
    const code = await run(args, { out: (text) => (out += text), err: (text) => (err += text), progress: { isTTY: false, write: () => true } });
    return { code, out, err: err.replaceAll(`${this.folder}/`, '') };
  }

  file(name: string, content: string | Buffer): string {
    const path = join(this.folder, name);
    writeFileSync(path, content);
    return path;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
