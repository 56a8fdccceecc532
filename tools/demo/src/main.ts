import { parseArgs } from 'node:util';
import { NoStoreError } from './no-store-error.js';
import { runDemo } from './run-demo.js';

const USAGE = `Usage: npm run demo
Shows seven facts about rate limiting, with counters in memory; with SLUICE_REDIS_URL=redis://host:6379 in that Redis (a comma list is a cluster).`;

try {
  const { values } = parseArgs({ options: { help: { type: 'boolean', short: 'h', default: false } } });
  if (values.help) console.log(USAGE);
  else {
    const redisUrl = process.env['SLUICE_REDIS_URL'];
    console.log(`Sluice in seven facts, counters in ${redisUrl === undefined ? 'memory' : 'Redis'}\n`);
    await runDemo(redisUrl, (line) => console.log(line));
  }
} catch (error) {
  const isUsage = error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
  if (!isUsage && !(error instanceof NoStoreError)) throw error;
  console.error(isUsage ? `${error.message}\n\n${USAGE}` : error.message);
  process.exitCode = 2;
}
