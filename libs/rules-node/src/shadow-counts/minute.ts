import type { CompiledRule } from '@sluice/rules';
import { Tally } from './tally.js';

/** Counts of one version of a rule in one minute. */
export interface RuleMinute {
  readonly ruleId: string;
  readonly ruleVersion: number;
  /** Of all keys, named or not. */
  readonly total: Tally;
  readonly byKey: Map<string, Tally>;
}

/** Pairs of rule and key that are counted apart; beyond them only what is refused makes room for itself. */
const MOST_HELD = 4_000;
/**
 * Of so many pairs, drawn by lot, the one with the fewest refusals makes room: a choice among all of them would hold up the request that needs it. Were a
 * quarter of those held refused often, one of them would go in four thousand million times.
 */
const COMPARED = 16;
/** Pairs that are sent by name. While the minute lasts half of them are kept for those that are refused later. */
const MOST_NAMED = 1_000;
const MOST_NAMED_EARLY = 500;

/** What was counted in one minute. */
export class Minute {
  /** A snapshot makes rules anew, also those that it does not change: the old ones are not kept. */
  private readonly rules = new WeakMap<CompiledRule, RuleMinute>();
  private readonly byVersion = new Map<string, RuleMinute>();
  /** Those held without a name, in no order. */
  private unnamed: Unnamed[] = [];
  private named = 0;

  constructor(readonly startMs: number) {}

  get all(): Iterable<RuleMinute> {
    return this.byVersion.values();
  }

  of(rule: CompiledRule): RuleMinute {
    const known = this.rules.get(rule);
    if (known !== undefined) return known;
    const name = `${rule.version} ${rule.ruleId}`;
    const counts = this.byVersion.get(name) ?? { ruleId: rule.ruleId, ruleVersion: rule.version, total: new Tally(), byKey: new Map() };
    this.byVersion.set(name, counts);
    this.rules.set(rule, counts);
    return counts;
  }

  /** Undefined when there is no room for one more. */
  tallyOf({ byKey }: RuleMinute, key: string, isDenied: boolean): Tally | undefined {
    const known = byKey.get(key);
    if (known !== undefined) return known;
    if (this.named + this.unnamed.length >= MOST_HELD && !(isDenied && this.makeRoom())) return undefined;
    const tally = new Tally();
    byKey.set(key, tally);
    this.unnamed.push({ byKey, key, tally });
    return tally;
  }

  /** Names those with the most refusals, as far as there is room. Those of a minute that is over and found none are forgotten: they are in the total. */
  nameKeys(isOver: boolean): void {
    const room = (isOver ? MOST_NAMED : MOST_NAMED_EARLY) - this.named;
    const worthy = room > 0 ? this.unnamed.filter(({ tally }) => isOver || tally.denied > 0) : [];
    for (const { tally } of worthy.sort((a, b) => compare(b.tally, a.tally)).slice(0, Math.max(0, room))) {
      tally.named = true;
      this.named += 1;
    }
    if (isOver) for (const { byKey, key, tally } of this.unnamed) if (!tally.named) byKey.delete(key);
    this.unnamed = isOver ? [] : this.unnamed.filter(({ tally }) => !tally.named);
  }

  private makeRoom(): boolean {
    let least: Unnamed | undefined;
    let at = 0;
    for (let seen = 0; seen < COMPARED; seen += 1) {
      const drawn = Math.floor(Math.random() * this.unnamed.length);
      const each = this.unnamed[drawn];
      if (each === undefined || (least !== undefined && compare(each.tally, least.tally) >= 0)) continue;
      least = each;
      at = drawn;
    }
    if (least === undefined) return false;
    least.byKey.delete(least.key);
    const last = this.unnamed.pop();
    if (last !== undefined && last !== least) this.unnamed[at] = last;
    return true;
  }
}

/** By refusals, then by requests. */
function compare(a: Tally, b: Tally): number {
  return a.denied - b.denied || a.sum - b.sum;
}

interface Unnamed {
  readonly byKey: Map<string, Tally>;
  readonly key: string;
  readonly tally: Tally;
}
