/** The command was called wrongly; ends it with 2. */
export class UsageFault extends Error {
  override readonly name = 'UsageFault';
}

/** What was given to it cannot be read; ends it with 1. */
export class InputFault extends Error {
  override readonly name = 'InputFault';

  /** @param line of the file, where it is known better than by what was read before */
  constructor(
    message: string,
    readonly line?: number,
  ) {
    super(message);
  }
}
