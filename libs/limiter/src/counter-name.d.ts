import { type CompiledRule, type RequestAttributes } from '@sluice/rules';
import type { Terms } from './lease/terms.js';
/** What tells a rule's counters apart: the value of the attribute that it counts by, or of each where there are several or none. */
export type CounterValues = string | readonly string[];
/** The values that this request counts under (R11); the rule applies, so its attributes are there. */
export declare function counterValues({ countBy }: CompiledRule, attributes: RequestAttributes): CounterValues;
/** Where the requests of a rule are counted together that came after it had too many keys: nobody is unlimited (R11, known failure 33). */
export declare const OVERFLOW: CounterValues;
/** The key, in the store, of the counter that these terms are of: a shard's, where they are a shard's. */
export declare function keyOf({ rule, keyPrefix, shard }: Terms, values: CounterValues): string;
/** The key of a whole counter in the store. */
export declare function counterName(identity: string, values: CounterValues, prefix: string): string;
