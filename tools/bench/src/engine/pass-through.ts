import { engineSubject } from './subject.js';
import { settledBytes, threadNs } from './measure.js';

const MAX_KEYS = 1_000_000;
const BATCH = 10_000;

/** R30: many more keys than the table may hold come once each; memory at each million. */
export async function passThrough(keys: number, print: (line: string) => void): Promise<void> {
  const empty = await settledBytes();
  const subject = engineSubject(MAX_KEYS, 10, MAX_KEYS);
  let spentNs = 0;
  print(`pass-through: ${keys / 1e6} million keys, once each, through a table of ${MAX_KEYS / 1e6} million`);
  for (let from = 0; from < keys; from += BATCH) {
    const start = threadNs();
    for (let at = from; at < from + BATCH; at += 1) subject.decide(`pass_${at.toString(36)}`);
    spentNs += threadNs() - start;
    await new Promise(setImmediate);
    if ((from + BATCH) % MAX_KEYS !== 0) continue;
    const { activeKeys, granted, returned, tableBytes } = subject.stats();
    const all = ((await settledBytes()) - empty) / 1e6;
    print(
      `  ${(from + BATCH) / 1e6} M: ${activeKeys} keys in ${(tableBytes / 1e6).toFixed(0)} MB of table, ${all.toFixed(0)} MB in all; ${granted - returned - (from + BATCH)} permits held, ${(spentNs / (from + BATCH)).toFixed(0)} ns a new key`,
    );
  }
  await subject.close();
  const { granted, returned } = subject.stats();
  print(`  closed: of ${granted} permits granted ${returned} went back unspent and ${keys} were spent: ${granted - returned - keys} are missing`);
}
