import { Inject, Injectable } from '@nestjs/common';
import type { DecisionEvent, DecisionLimit } from '@sluice/events';
import { ControlPlane } from '../../control-plane/control-plane.js';
import { ControlPlaneUnavailable } from '../../control-plane/control-plane-unavailable.js';
import type { InForce } from '../../control-plane/in-force.js';
import type { DecisionFilter } from '../../store/decision-filter.js';
import type { DecisionStore } from '../../store/decision-store.js';
import { STORE } from '../../tokens.js';
import { sampledIn, standardError } from '../sums/sampling.js';
import type { Around, Facts, LimitFacts } from './facts.js';
import { keySince } from './key-since.js';
import { limitInForce } from './limit-in-force.js';
import { overrideStory } from './override-story.js';
import { ruleSince, UNKNOWN_SINCE } from './rule-since.js';

/** Half of the minute around. */
const HALF_MS = 30_000;
const HALF_HOUR_MS = 1_800_000;
/** Limits of one decision whose rules are looked up; those behind them come without. */
const MOST_LOOKED_UP = 10;

/** Finds out all that can be known of a decision: from the store, and from the control plane as far as it answers. */
@Injectable()
export class FactFinder {
  constructor(
    @Inject(STORE) private readonly store: DecisionStore,
    private readonly controlPlane: ControlPlane,
  ) {}

  /** @param own narrows a filter to what the caller may see */
  async factsOf(event: DecisionEvent, own: (filter: DecisionFilter) => DecisionFilter): Promise<Facts> {
    const nowMs = Date.now();
    const controlPlane = this.controlPlane.withinOneWait();
    const faults: string[] = [];
    /** Asks the control plane; while it cannot be asked the explanation comes without. */
    const ask = async <T>(answer: Promise<T>): Promise<T | undefined> => {
      try {
        return await answer;
      } catch (error) {
        if (!(error instanceof ControlPlaneUnavailable)) throw error;
        faults.push(error.message);
        return undefined;
      }
    };
    // Beside what the store is asked: a store that takes its time must not use up the control plane's.
    const [around, known] = await Promise.all([this.around(event, own), rulesOf({ event, nowMs, controlPlane, ask })]);
    return { event, ...known, around, unavailable: faults[0], nowMs };
  }

  /** What the control plane says of a key now, where nothing is recorded of it; undefined while it cannot be asked. */
  async keyNow(keyId: string): Promise<InForce | undefined> {
    try {
      return await this.controlPlane.withinOneWait().inForce({ key_id: keyId });
    } catch (error) {
      if (error instanceof ControlPlaneUnavailable) return undefined;
      throw error;
    }
  }

  private async around({ at_ms: atMs, attributes, kind }: DecisionEvent, own: (filter: DecisionFilter) => DecisionFilter): Promise<Around> {
    const range = { fromMs: Math.max(0, atMs - HALF_MS), toMs: atMs + HALF_MS };
    const { key_id, ip } = attributes;
    const whose = key_id !== undefined ? { key_id } : ip !== undefined ? { ip } : undefined;
    // Of whom nothing is known nothing can be counted.
    const rows = whose === undefined ? [] : await this.store.aggregate({ filter: own({ ...range, kinds: kind === 'unauthenticated' ? ['unauthenticated'] : ['decision'], attributes: whose }), groupBy: [], limit: 1 });
    const { refused, requests, variance } = rows[0] ?? NOBODY;
    // A minute of little traffic may have none that passed.
    const sampled = kind === 'unauthenticated' ? false : await sampledIn(this.store, own({ fromMs: Math.max(0, atMs - HALF_HOUR_MS), toMs: atMs + HALF_HOUR_MS }), [{ variance }]);
    return { ...range, refused, requests, sampled, standardError: standardError(variance, sampled) };
  }
}

type Ask = <T>(answer: Promise<T>) => Promise<T | undefined>;

/** What the questions of one decision have in common. */
interface Asking {
  readonly event: DecisionEvent;
  readonly nowMs: number;
  readonly controlPlane: ControlPlane;
  readonly ask: Ask;
}

/** All of a decision that the control plane knows. */
async function rulesOf(asking: Asking): Promise<Pick<Facts, 'limits' | 'inForce' | 'keySince'>> {
  const { event, controlPlane, ask } = asking;
  const [inForce, limits] = await Promise.all([
    event.kind === 'decision' ? ask(controlPlane.inForce(event.attributes)) : undefined,
    Promise.all(event.limits.map((limit, at) => (at < MOST_LOOKED_UP ? limitFacts(limit, asking) : bare(limit)))),
  ]);
  const key = keySince(event, inForce);
  return { inForce, keySince: key, limits: await Promise.all(limits.map((limit) => inPlace(limit, key === 'same' ? inForce : undefined, asking))) };
}

const NOBODY = { refused: 0, requests: 0, variance: 0 };

function bare(limit: DecisionLimit): LimitFacts {
  return { limit, text: undefined, since: UNKNOWN_SINCE, override: undefined, inForce: undefined };
}

async function limitFacts(limit: DecisionLimit, { event, nowMs, controlPlane, ask }: Asking): Promise<LimitFacts> {
  const { rule_id: ruleId, rule_version: version, override_id: overrideId } = limit;
  const [text, ruleChanges, overrideChanges] = await Promise.all([
    ask(controlPlane.ruleAt(ruleId, version)),
    ask(controlPlane.ruleChanges(ruleId)),
    overrideId === null ? undefined : ask(controlPlane.overrideChanges(overrideId)),
  ]);
  return {
    limit,
    text,
    since: ruleChanges === undefined ? UNKNOWN_SINCE : ruleSince(ruleId, version, ruleChanges),
    override: overrideId === null ? undefined : overrideStory({ overrideId, snapshotVersion: event.snapshot_version, nowMs }, overrideChanges ?? []),
    inForce: undefined,
  };
}

/** With what applies now, and its rule as it is now: another window may be one of a calendar. */
async function inPlace(facts: LimitFacts, inForce: InForce | undefined, { event, controlPlane, ask }: Asking): Promise<LimitFacts> {
  const place = limitInForce(facts.limit, event, facts.text?.rule, inForce);
  const now = place?.limit;
  if (now === undefined) return { ...facts, inForce: place };
  const known = [facts.text, facts.since.now].find((text) => text?.ruleId === now.ruleId && text.version === now.ruleVersion);
  return { ...facts, inForce: { limit: now, text: known ?? (await ask(controlPlane.ruleAt(now.ruleId, now.ruleVersion))) } };
}
