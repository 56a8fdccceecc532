/** How far a run is. */
export interface Done {
  /** Undefined where nobody knows the whole. */
  readonly share: number | undefined;
  readonly requests: number;
}

const EVERY_MS = 200;
const WIDTH = 24;

/** A bar on a terminal, nothing elsewhere. */
export class Progress {
  private readonly startedMs = performance.now();
  private nextMs = 0;

  constructor(private readonly out: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>) {}

  show(done: () => Done): void {
    const nowMs = performance.now();
    if (!this.out.isTTY || nowMs < this.nextMs) return;
    this.nextMs = nowMs + EVERY_MS;
    const { share, requests } = done();
    const pace = Math.round((requests / Math.max(1, nowMs - this.startedMs)) * 1_000);
    const filled = share === undefined ? 0 : Math.round(share * WIDTH);
    const bar = share === undefined ? '' : `[${'#'.repeat(filled)}${'.'.repeat(WIDTH - filled)}] ${Math.floor(share * 100)} %  `;
    this.out.write(`\r${bar}${requests} requests, ${pace}/s  `);
  }

  clear(): void {
    if (this.out.isTTY) this.out.write('\r\u001B[K');
  }
}
