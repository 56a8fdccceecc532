import { Injectable } from '@nestjs/common';
import { inSlices, MatchExplainer, type Snapshot } from '@sluice/rules';
import { SnapshotService } from '../snapshot/snapshot.service.js';

interface Built {
  readonly tag: string;
  readonly explainer: Promise<MatchExplainer>;
}

/** The rules in force as nodes have them, ready to be explained; built when they are asked for, once a version. */
@Injectable()
export class ExplainedRules {
  private built: Built | undefined;

  constructor(private readonly snapshots: SnapshotService) {}

  /** While the database is away, those that nodes last got. @throws while there are none */
  async current(): Promise<MatchExplainer> {
    const { state } = await this.snapshots.answerable(await this.snapshots.inForce());
    const tag = `${state.version} ${state.epoch}`;
    if (this.built?.tag === tag) return this.built.explainer;
    // What was validated when it was written, and by nodes again.
    const explainer = state.whole().then(({ plain }) => inSlices(MatchExplainer.of(JSON.parse(plain.toString()) as Snapshot)));
    this.built = { tag, explainer };
    explainer.catch(() => (this.built = undefined));
    return explainer;
  }
}
