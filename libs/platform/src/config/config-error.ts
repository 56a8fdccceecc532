/** The environment is unusable. The message lists every fault, one a line, and no secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly faults: readonly string[]) {
    super(`The configuration has ${faults.length} fault${faults.length === 1 ? '' : 's'}:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
  }
}
