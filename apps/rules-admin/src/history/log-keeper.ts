import { Injectable } from '@nestjs/common';
import { actAs } from '../access/acting.js';
import { ConfigReader } from '../database/config-reader.js';
import { ConfigWriter } from '../database/config-writer.js';
import type { Swept } from '../sweeper/chore.js';
import { Sweeper } from '../sweeper/sweeper.js';
import { catchUp } from './catch-up.js';

interface Count {
  readonly version: string;
  readonly first: string | null;
  readonly logged: string;
}

/**
 * Looks for versions that nobody logged, and brings the log in line with what is there. They come from processes of the version before, which write beside
 * this one while it is rolled out and know no log, and from who changes tables by hand.
 */
@Injectable()
export class LogKeeper {
  /** Up to here every version is logged, or was made up for. */
  private checkedThrough: number | undefined;

  constructor(
    private readonly reader: ConfigReader,
    private readonly writer: ConfigWriter,
    sweeper: Sweeper,
  ) {
    sweeper.add({ name: 'unlogged_changes', sweep: () => this.sweep() });
  }

  private async sweep(): Promise<Swept> {
    const [found] = await this.reader.manager.query<Count[]>(
      `SELECT version, (SELECT min(version) FROM config_change) AS first, (SELECT count(*) FROM config_change WHERE config_change.version > coalesce($1, -1) AND config_change.version <= config_version.version) AS logged
       FROM config_version`,
      [this.checkedThrough ?? null],
    );
    if (found === undefined) throw new Error('The row of config_version is gone.');
    const since = this.checkedThrough ?? Number(found.first ?? 0) - 1;
    const isComplete = Number(found.logged) === Number(found.version) - since;
    const count = isComplete ? 0 : await actAs('system:log-keeper', () => this.writer.write((tx) => catchUp(tx)));
    this.checkedThrough = Number(found.version);
    return { count, more: false };
  }
}
