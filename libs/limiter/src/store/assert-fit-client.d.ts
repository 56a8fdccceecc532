import type { ScriptClient } from '@sluice/lua-scripts';
/**
 * @throws RangeError for a client with an option that the scripts cannot work with: keys that are changed behind the back of cluster slots and
 * hash tags, numbers that come as text, a time that ends calls whose answers are still taken, calls that are sent twice.
 */
export declare function assertFitClient(client: ScriptClient): void;
