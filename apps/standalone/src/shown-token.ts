/** How a line for a shell names a token that is configured: it is never printed, and of a list any one will do. */
export function shownToken(configured: readonly string[]): string {
  return configured.length > 1 ? '${SLUICE_ADMIN_TOKEN%%,*}' : '$SLUICE_ADMIN_TOKEN';
}
