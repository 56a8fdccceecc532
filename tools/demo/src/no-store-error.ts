/** Why there is no store to show the facts on, in words for who named it. */
export class NoStoreError extends Error {
  override readonly name = 'NoStoreError';
}
