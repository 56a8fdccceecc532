import { Redis } from 'ioredis';

/** What one master of a cluster has done since the last look. */
export interface MasterLoad {
  readonly runs: number;
  readonly cpuUs: number;
}

/** Script runs and processor time of each master while something goes on. */
export class MasterLoads {
  private readonly admins: readonly Redis[];

  constructor(urls: readonly string[]) {
    this.admins = urls.map((url) => new Redis(url));
  }

  async during(work: () => Promise<void>): Promise<readonly MasterLoad[]> {
    const before = await this.read();
    await work();
    const after = await this.read();
    return after.map(({ runs, cpuUs }, at) => ({ runs: runs - (before[at]?.runs ?? 0), cpuUs: cpuUs - (before[at]?.cpuUs ?? 0) }));
  }

  close(): void {
    for (const admin of this.admins) admin.disconnect();
  }

  private read(): Promise<readonly MasterLoad[]> {
    return Promise.all(
      this.admins.map(async (admin) => {
        const [stats, cpu] = await Promise.all([admin.info('commandstats'), admin.info('cpu')]);
        const seconds = (name: string): number => Number(new RegExp(`${name}:(\\S+)`).exec(cpu)?.[1] ?? 0);
        return {
          runs: Number(/cmdstat_evalsha:calls=(\d+)/.exec(stats)?.[1] ?? 0),
          cpuUs: (seconds('used_cpu_user') + seconds('used_cpu_sys')) * 1e6,
        };
      }),
    );
  }
}
