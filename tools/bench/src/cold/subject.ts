import { counterKey, takeCommand, type ScriptCommand } from '@sluice/lua-scripts';
import { createLimiter, redisStore, type LimiterStats } from '@sluice/limiter';
import { compileSnapshot, type Rule } from '@sluice/rules';
import { Redis } from 'ioredis';

/** Long, so that what is measured is the price of a trip and not how often one was given up on a busy machine. */
const TIMEOUT_MS = 5_000;
const ATTRIBUTES = { plan: 'free', endpoint: 'GET /v1/items' };

/** What is measured: one trip to Redis for one caller; resolves to whether it was granted there. */
export interface Subject {
  readonly name: string;
  /** Whether its callers are to be new ones. */
  readonly firstTouch: boolean;
  /** Called before a run, outside of what is timed. */
  prepare(callers: readonly string[]): void;
  call(caller: string): Promise<boolean>;
  stats(): LimiterStats | undefined;
  close(): Promise<void>;
}

/** The least that a decision in Redis can cost with this client: EVALSHA of the script that the engine runs, with its arguments at hand. */
export async function bareSubject(url: string): Promise<Subject> {
  const client = new Redis(url);
  const applied = compileSnapshot(snapshotOf(exactRule)).match({ ...ATTRIBUTES, key_id: '' }, 0)[0];
  if (applied === undefined) throw new Error('the rule does not apply');
  const { rule, quota } = applied;
  const commandOf = (caller: string): ScriptCommand<unknown> => takeCommand(counterKey(rule.identity, [caller], 'bare'), quota, 1, 1);
  const { script } = commandOf('');
  await client.script('LOAD', script.source);
  let commands = new Map<string, ScriptCommand<unknown>>();
  return {
    name: 'bare EVALSHA',
    firstTouch: false,
    prepare(callers) {
      commands = new Map(callers.map((caller) => [caller, commandOf(caller)]));
    },
    async call(caller) {
      const { keys, args } = commands.get(caller) ?? { keys: [], args: [] };
      const reply: unknown = await client.evalsha(script.sha1, keys.length, ...keys, ...args);
      return Array.isArray(reply) && reply[0] === 1;
    },
    stats: () => undefined,
    close: () => Promise.resolve(client.disconnect()),
  };
}

const exactRule: Omit<Rule, 'version'> = { rule_id: 'exact', plan: 'free', endpoint: '*', limit: 1_000_000, window_seconds: 3600, consistency: 'exact' };
const leasedRule: Omit<Rule, 'version'> = { ...exactRule, rule_id: 'leased', consistency: 'leased' };

/** Every decision asks the store. */
export const exactSubject = (url: string, callers: number): Promise<Subject> => engineSubject('engine, exact rule', url, exactRule, callers);

/** Decisions for callers that hold no lease ask the store. */
export const leasedSubject = (url: string, callers: number): Promise<Subject> => engineSubject('engine, leased, first touch', url, leasedRule, callers);

async function engineSubject(name: string, url: string, rule: Omit<Rule, 'version'>, callers: number): Promise<Subject> {
  const store = redisStore({ url, timeoutMs: TIMEOUT_MS });
  await store.ready(TIMEOUT_MS);
  const limiter = createLimiter({ store, rules: compileSnapshot(snapshotOf(rule)), maxKeys: callers * 2, maxKeysPerRule: callers * 2 });
  return {
    name,
    firstTouch: rule.consistency === 'leased',
    prepare: () => undefined,
    async call(key_id) {
      const decision = await limiter.check({ plan: 'free', endpoint: 'GET /v1/items', key_id });
      return decision.allowed && decision.deciding?.source === 'store';
    },
    stats: () => limiter.stats(),
    async close() {
      await limiter.close();
      await store.close();
    },
  };
}

function snapshotOf(rule: Omit<Rule, 'version'>): Parameters<typeof compileSnapshot>[0] {
  return { version: 1, plans: [{ plan_id: 'free' }], rules: [{ version: 1, ...rule }], overrides: [] };
}
