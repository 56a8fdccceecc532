import type { SkinHarness, SkinParts, SkinServer, TableOptions } from './skin-harness.js';

/** One server at a time of a skin, for the tests of a suite. */
export interface SkinStage {
  /** Paths that the server's handlers were called with. */
  readonly served: readonly string[];
  /** @returns its URL */
  start(options: TableOptions, parts?: Partial<SkinParts>): Promise<string>;
  close(): Promise<void>;
}

/** Call it within a `describe`: what was started is closed after each test. */
export function skinStage(harness: SkinHarness): SkinStage {
  let server: SkinServer | undefined;
  let served: string[] = [];
  const close = async (): Promise<void> => {
    await server?.close();
    server = undefined;
  };
  afterEach(close);
  return {
    get served() {
      return served;
    },
    async start(options, { bindings = 1, slowMs = 0, socketPath } = {}) {
      served = [];
      server = await harness.start(options, { bindings, slowMs, socketPath, served: (path) => served.push(path) });
      return server.url;
    },
    close,
  };
}
