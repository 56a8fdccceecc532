import { type ChildProcess, fork } from 'node:child_process';
import type { Rule } from '@sluice/rules';
import type { Ending, Order, Run, RunReport, Said } from './messages.js';

const EXEC_ARGV = ['--experimental-transform-types', '--disable-warning=ExperimentalWarning'];

/** Some nodes of a fleet in a process of their own. */
export class FleetProcess {
  private constructor(
    private readonly child: ChildProcess,
    private readonly ended: Promise<number | NodeJS.Signals>,
    readonly nodes: number,
  ) {}

  static async start(url: string, nodes: number, rules: readonly Rule[]): Promise<FleetProcess> {
    const child = fork(new URL('entry.mjs', import.meta.url), { execArgv: EXEC_ARGV, serialization: 'advanced' });
    const ended = new Promise<number | NodeJS.Signals>((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code ?? -1)));
    const started = new FleetProcess(child, ended, nodes);
    await started.ask({ kind: 'open', url, nodes, rules }, 'ready');
    return started;
  }

  async run(run: Run): Promise<RunReport> {
    return (await this.ask({ kind: 'run', ...run }, 'ran')).report;
  }

  /** What each node takes the size of the fleet for. */
  async sizes(): Promise<readonly number[]> {
    return (await this.ask({ kind: 'size' }, 'size')).sizes;
  }

  /** SIGTERM; a run that is under way ends with it. */
  async stop(): Promise<Ending> {
    const stopped = this.hear('stopped');
    this.child.kill('SIGTERM');
    const { ending } = await stopped;
    await this.ended;
    return ending;
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }

  private ask<K extends Said['kind']>(order: Order, kind: K): Promise<Extract<Said, { kind: K }>> {
    const answer = this.hear(kind);
    this.child.send(order);
    return answer;
  }

  private hear<K extends Said['kind']>(kind: K): Promise<Extract<Said, { kind: K }>> {
    return new Promise((resolve, reject) => {
      const listen = (said: Said): void => {
        if (!is(said, kind)) return;
        this.child.off('message', listen);
        resolve(said);
      };
      this.child.on('message', listen);
      void this.ended.then((how) => reject(new Error(`a worker ended by ${how} before it said ${kind}`)));
    });
  }
}

function is<K extends Said['kind']>(said: Said, kind: K): said is Extract<Said, { kind: K }> {
  return said.kind === kind;
}
