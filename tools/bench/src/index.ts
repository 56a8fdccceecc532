export type { Benchmark } from './benchmark.js';
