import { runDemo } from './run-demo.js';

const redisUrl = process.env['SLUICE_REDIS_URL'];
console.log(`Sluice in seven facts, counters in ${redisUrl === undefined ? 'memory' : 'Redis'}\n`);
await runDemo(redisUrl, (line) => console.log(line));
