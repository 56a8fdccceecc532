import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDuckDbStore } from '../../src/store/duckdb/open-duckdb-store.js';
import { numberedEvent } from './process/numbered-event.js';
import { StoreProcess } from './process/store-process.js';

const KILLS = 20;

describe('R81 the embedded store, killed', () => {
  it('has each event once that a write resolved for, whenever it is killed', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'sluice-killed-'));
    let from = 0;
    for (let kill = 0; kill < KILLS; kill += 1) {
      const running = await StoreProcess.start({ dir, from });
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 400));
      from = await running.kill();
    }
    expect(from).toBeGreaterThan(1_000);
    const store = await openDuckDbStore({ dir, retentionMs: 3_650 * 86_400_000 });
    const all = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER };
    const sequences: number[] = [];
    for await (const chunk of store.scan(all)) {
      for (const event of chunk) {
        const sequence = Number(event.event_id.split(':')[1]);
        expect(event).toEqual(numberedEvent(sequence));
        sequences.push(sequence);
      }
    }
    sequences.sort((a, b) => a - b);
    // All that was said to be stored, and after them at most what was under way.
    expect(sequences).toEqual(sequences.map((_, index) => index));
    expect(sequences.length).toBeGreaterThanOrEqual(from);
    expect(await store.status()).toMatchObject({ events: sequences.length });
    const files = (await readdir(join(dir, 'decisions'), { recursive: true })).filter((name) => name.includes('.'));
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter((name) => !name.endsWith('.parquet'))).toEqual([]);
    // All that a kill left was known as something of ours.
    expect(await readdir(dir)).not.toContain('set-aside');
    await store.close();
    await rm(dir, { recursive: true, force: true });
  }, 180_000);
});
