import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { FaultNode, NodeReport, NodeSettings } from './traffic-node.js';

interface Reply {
  readonly value?: unknown;
  readonly error?: string;
}

/** A node in a process of its own: with its own event loop, and what nobody handles there ends it, as in production. */
export class NodeApart implements FaultNode {
  private constructor(
    private readonly child: ChildProcess,
    private readonly exited: Promise<unknown[]>,
    private readonly said: () => string,
  ) {}

  static async open(settings: NodeSettings, wait = true): Promise<NodeApart> {
    const child = fork(new URL('node-worker.mjs', import.meta.url), {
      execArgv: ['--experimental-transform-types', '--disable-warning=ExperimentalWarning'],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    let stderr = '';
    child.stderr?.on('data', (text) => (stderr += String(text)));
    const node = new NodeApart(child, once(child, 'exit'), () => stderr);
    try {
      await node.reply();
      await node.call('open', settings, wait);
    } catch (error) {
      child.kill('SIGKILL');
      throw error;
    }
    return node;
  }

  async start(): Promise<void> {
    await this.call('start');
  }

  async healthyMs(): Promise<number> {
    return Number(await this.call('healthyMs'));
  }

  async stop(): Promise<NodeReport> {
    const report = (await this.call('stop')) as NodeReport;
    this.child.disconnect();
    await this.exited;
    return report;
  }

  private async call(act: string, ...args: unknown[]): Promise<unknown> {
    this.child.send({ act, args });
    return this.reply();
  }

  private async reply(): Promise<unknown> {
    const ended = this.exited.then(([code]) => [{ error: `the node ended with ${String(code)}: ${this.said()}` }]);
    const [reply] = (await Promise.race([once(this.child, 'message'), ended])) as [Reply];
    if (reply.error !== undefined) throw new Error(reply.error);
    return reply.value;
  }
}
