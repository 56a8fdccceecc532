/** One request: when it comes (virtual ms), at which node, for which key. */
export interface Arrival {
  readonly atMs: number;
  readonly node: number;
  readonly key: number;
}
