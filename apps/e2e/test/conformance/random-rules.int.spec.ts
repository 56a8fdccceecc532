import { jest } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RandomLimit, randomLimits } from './random-rules.js';
import { type Stage, startStage } from './stage.js';
import { type Answer, type Question, type Surface, type SurfaceName, SURFACES } from './surface.js';

jest.setTimeout(120_000);

const COUNT = 500;
const SEED = 35;
/** Those whose requests can have a cost; two ask about every limit, the others about each fourth, so that it takes no minute. */
const ASKED: Readonly<Partial<Record<SurfaceName, number>>> = { 'HTTP check': 1, Express: 1, Fastify: 4, 'forward-auth': 4, RLS: 4 };
const NAMES = SURFACES.filter((name) => name in ASKED);
/** Limits that are used up at a time: more would take longer to ask than their windows last. */
const AT_A_TIME = 4;
/** After so many attempts a limit is one that this machine cannot use up. */
const ATTEMPTS = 4;

/** What a client met who used a limit up and waited. */
type Outcome = 'served' | 'never refused' | { readonly limit: RandomLimit; readonly refusal: Answer; readonly after?: Answer };

/** Lets so many in at a time. */
class Gate {
  private readonly waiting: (() => void)[] = [];
  constructor(private free: number) {}

  async through<T>(job: () => Promise<T>): Promise<T> {
    if (this.free === 0) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.free -= 1;
    try {
      return await job();
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.free += 1;
      else next();
    }
  }
}

/** Each surface has a caller of its own: what the node of another one has leased is taken. */
function questionOf({ name }: Surface, { path, cost }: RandomLimit): Question {
  return { key: name.replaceAll(' ', '-'), path, cost };
}

async function useUp(surface: Surface, limit: RandomLimit): Promise<Answer | undefined> {
  const question = questionOf(surface, limit);
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    await Promise.all(Array.from({ length: limit.fits }, () => surface.ask(question)));
    // Nobody else asks now, so that its word holds.
    const last = await surface.ask(question);
    if (!last.allowed) return last;
  }
  return undefined;
}

async function useUpAndWait(surface: Surface, gate: Gate, limit: RandomLimit): Promise<Outcome> {
  const refusal = await gate.through(() => useUp(surface, limit));
  if (refusal === undefined) return 'never refused';
  const heardMs = performance.now();
  const field = refusal.fields['retry-after'] ?? '';
  if (!/^[1-9]\d*$/.test(field)) return { limit, refusal };
  const endMs = heardMs + Number(field) * 1_000;
  // A timer may fire a little early.
  for (let leftMs = endMs - heardMs; leftMs > 0; leftMs = endMs - performance.now()) await sleep(Math.ceil(leftMs));
  const after = await surface.ask(questionOf(surface, limit));
  return after.allowed ? 'served' : { limit, refusal, after };
}

describe('R70 known failure 35: 500 random rules: who waits exactly Retry-After is served', () => {
  const limits = randomLimits(COUNT, SEED);
  const askedBy = (name: SurfaceName): readonly RandomLimit[] => limits.filter((_limit, at) => at % (ASKED[name] ?? 1) === 0);
  let stage: Stage;
  /** By all surfaces at once, since most of the time is spent waiting. */
  let met: Promise<readonly (readonly Outcome[])[]>;
  beforeAll(async () => {
    stage = await startStage(limits.flatMap(({ rules }) => rules));
    const gate = new Gate(AT_A_TIME);
    met = Promise.all(NAMES.map((name) => Promise.all(askedBy(name).map((limit) => useUpAndWait(stage.surface(name), gate, limit)))));
    // It is awaited below, where it may fail.
    met.catch(() => undefined);
  });
  afterAll(() => stage.close());

  it('are rules of every kind', () => {
    const rules = limits.flatMap((limit) => limit.rules);
    expect(new Set(rules.map(({ algorithm, consistency }) => `${algorithm} ${consistency}`)).size).toBe(12);
    expect(rules.filter(({ burst }) => burst !== undefined).length).toBeGreaterThan(50);
    expect(limits.filter(({ cost }) => cost > 1).length).toBeGreaterThan(200);
    expect(limits.filter((limit) => limit.rules.length > 1).length).toBeGreaterThan(50);
  });

  it.each(NAMES)('by %s', async (name) => {
    const outcomes = (await met)[NAMES.indexOf(name)] ?? [];
    const served = outcomes.filter((outcome) => outcome === 'served').length;
    console.info(`${name}: ${served} of ${outcomes.length} limits used up, and served after the wait`);
    expect(outcomes.filter((outcome) => typeof outcome === 'object').slice(0, 5)).toEqual([]);
    // What is full again before it was asked about so often shows nothing; nearly all are used up.
    expect(outcomes).toHaveLength(askedBy(name).length);
    expect(served).toBeGreaterThan(outcomes.length * 0.9);
  });
});
