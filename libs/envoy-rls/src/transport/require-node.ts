/** The first whose `respond` takes raw lists of head fields. */
const LEAST_MAJOR = 24;

/** @throws Error on a Node that answers would fail on, one by one */
export function requireNode(version: string): void {
  if (Number(version.split('.')[0]) < LEAST_MAJOR) throw new Error(`gRPC is served on Node ${LEAST_MAJOR} or later, and this is ${version}`);
}
