/** One benchmark that `npm run bench -- NAME` can run. */
export interface Benchmark {
  readonly name: string;
  readonly about: string;
  /** @param short fewer rounds, for CI; the figures are noisier. */
  run(options: { readonly short: boolean; readonly print: (line: string) => void }): Promise<void>;
}
