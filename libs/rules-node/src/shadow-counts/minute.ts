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
/** Pairs that are sent by name. While the minute lasts half of them are kept for those that are refused later. */
const MOST_NAMED = 1_000;
const MOST_NAMED_EARLY = 500;

/** What was counted in one minute. */
export class Minute {
  private readonly rules = new Map<CompiledRule, RuleMinute>();
  private held = 0;
  private named = 0;

  constructor(readonly startMs: number) {}

  get all(): readonly RuleMinute[] {
    return [...new Set(this.rules.values())];
  }

  /** A snapshot makes rules anew, also those that it does not change. */
  of(rule: CompiledRule): RuleMinute {
    let counts = this.rules.get(rule);
    if (counts === undefined) {
      counts = this.all.find(({ ruleId, ruleVersion }) => ruleId === rule.ruleId && ruleVersion === rule.version) ?? { ruleId: rule.ruleId, ruleVersion: rule.version, total: new Tally(), byKey: new Map() };
      this.rules.set(rule, counts);
    }
    return counts;
  }

  /** Undefined when there is no room for one more. */
  tallyOf({ byKey }: RuleMinute, key: string, isDenied: boolean): Tally | undefined {
    const known = byKey.get(key);
    if (known !== undefined) return known;
    if (this.held >= MOST_HELD && !(isDenied && this.makeRoom())) return undefined;
    const tally = new Tally();
    byKey.set(key, tally);
    this.held += 1;
    return tally;
  }

  /** Names those with the most refusals, as far as there is room. Those of a minute that is over and found none are forgotten: they are in the total. */
  nameKeys(isOver: boolean): void {
    const most = isOver ? MOST_NAMED : MOST_NAMED_EARLY;
    const unnamed = this.unnamed().filter(({ tally }) => isOver || tally.denied > 0);
    for (const { tally } of unnamed.slice(0, Math.max(0, most - this.named))) {
      tally.named = true;
      this.named += 1;
    }
    if (isOver) for (const each of this.unnamed()) this.forget(each);
  }

  private makeRoom(): boolean {
    const unnamed = this.unnamed();
    for (const each of unnamed.slice(unnamed.length / 2)) this.forget(each);
    return unnamed.length > 1;
  }

  private forget({ byKey, key }: Unnamed): void {
    byKey.delete(key);
    this.held -= 1;
  }

  /** Those with the most refusals first. */
  private unnamed(): readonly Unnamed[] {
    const found: Unnamed[] = [];
    for (const { byKey } of this.all) for (const [key, tally] of byKey) if (!tally.named) found.push({ byKey, key, tally });
    return found.sort((a, b) => b.tally.denied - a.tally.denied || b.tally.sum - a.tally.sum);
  }
}

interface Unnamed {
  readonly byKey: Map<string, Tally>;
  readonly key: string;
  readonly tally: Tally;
}
