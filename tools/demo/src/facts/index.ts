import type { Fact } from '../lab.js';
import { boundaryBurst } from './boundary-burst.js';
import { chunks } from './chunks.js';
import { oneScript, readThenWrite } from './eight-nodes.js';
import { refusal } from './refusal.js';
import { hotReload, rulesV1 } from './reload.js';

/** The seven facts that every reader of the design knows (R94). */
export const FACTS: readonly Fact[] = [refusal, boundaryBurst, readThenWrite, oneScript, chunks, rulesV1, hotReload];
