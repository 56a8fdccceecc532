/** Whether the system says that something failed for this reason. No `instanceof Error`: under Jest, node's own errors come from another realm. */
export function hasCode(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}
