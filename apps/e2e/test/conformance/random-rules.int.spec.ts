import { jest } from '@jest/globals';
import type { Rule } from '@sluice/rules';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RandomRule, randomRules } from './random-rules.js';
import { type Stage, startStage } from './stage.js';
import type { Answer, Question, Surface, SurfaceName } from './surface.js';

jest.setTimeout(60_000);

const COUNT = 500;
const SEED = 35;
/** Rules that are used up at a time: more would take longer to ask than their windows last. */
const AT_A_TIME = 4;
/** After so many attempts a rule is one that this machine cannot use up. */
const ATTEMPTS = 4;

/** What a client met who used a rule up and waited. */
type Outcome = 'served' | 'never refused' | { readonly rule: object; readonly cost: number; readonly refusal: object; readonly after: object };

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
function questionOf({ name }: Surface, { endpoint = '' }: Rule, cost: number): Question {
  return { key: name.replaceAll(' ', '-'), path: endpoint.slice('GET '.length), cost };
}

async function useUp(surface: Surface, { rule, cost, fits }: RandomRule): Promise<Answer | undefined> {
  const question = questionOf(surface, rule, cost);
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    await Promise.all(Array.from({ length: fits }, () => surface.ask(question)));
    // Nobody else asks now, so that its word holds.
    const last = await surface.ask(question);
    if (!last.allowed) return last;
  }
  return undefined;
}

async function useUpAndWait(surface: Surface, gate: Gate, random: RandomRule): Promise<Outcome> {
  const refusal = await gate.through(() => useUp(surface, random));
  if (refusal === undefined) return 'never refused';
  const heardMs = performance.now();
  const seconds = Number(refusal.fields['retry-after']);
  if (!/^[1-9]\d*$/.test(refusal.fields['retry-after'] ?? '')) return { rule: random.rule, cost: random.cost, refusal, after: {} };
  // A timer may fire a little early.
  for (let leftMs = seconds * 1_000; leftMs > 0; leftMs = heardMs + seconds * 1_000 - performance.now()) await sleep(Math.ceil(leftMs));
  const after = await surface.ask(questionOf(surface, random.rule, random.cost));
  return after.allowed ? 'served' : { rule: random.rule, cost: random.cost, refusal: { fields: refusal.fields, body: refusal.body }, after: { fields: after.fields, body: after.body } };
}

describe('R70 known failure 35: 500 random rules: who waits exactly Retry-After is served', () => {
  const rules = randomRules(COUNT, SEED);
  let stage: Stage;
  beforeAll(async () => (stage = await startStage(rules.map(({ rule }) => rule))));
  afterAll(() => stage.close());

  it('are rules of every kind', () => {
    const kinds = new Set(rules.map(({ rule }) => `${rule.algorithm} ${rule.consistency}`));
    expect(kinds.size).toBe(12);
    expect(rules.filter(({ rule }) => rule.burst !== undefined).length).toBeGreaterThan(50);
    expect(rules.filter(({ cost }) => cost > 1).length).toBeGreaterThan(200);
  });

  it.each<SurfaceName>(['HTTP check', 'Express'])('by %s', async (name) => {
    const surface = stage.surface(name);
    const gate = new Gate(AT_A_TIME);
    const outcomes = await Promise.all(rules.map((random) => useUpAndWait(surface, gate, random)));
    expect(outcomes.filter((outcome) => typeof outcome === 'object').slice(0, 5)).toEqual([]);
    // What is full again before it was asked about so often shows nothing; nearly all are used up.
    expect(outcomes.filter((outcome) => outcome === 'served').length).toBeGreaterThan(COUNT * 0.9);
    console.info(`${name}: ${outcomes.filter((outcome) => outcome === 'served').length} of ${COUNT} used up and served after the wait`);
  });
});
