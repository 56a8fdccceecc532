import { limiterOptions } from './limiter-options.js';
import { start } from './start.js';

const { PORT = '3100' } = process.env;
const running = await start({ port: Number(PORT), limiter: limiterOptions(process.env) });
console.log(`listening on ${running.url}`);
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void running.close());
