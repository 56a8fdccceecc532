/** Where a token was presented from. */
export interface Origin {
  /** The peer's address, as the socket has it. */
  readonly ip: string;
  /** From this machine, and brought by nobody: see `isLocalCaller`. */
  readonly local: boolean;
}
