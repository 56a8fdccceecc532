/** Long enough for a database that is busy; who starts waits for it. */
const TIMEOUT_MS = 2_000;

/**
 * The entity tag that a rule has now, for an `If-Match`.
 *
 * @returns undefined when there is no such rule, or the rules API does not say
 */
export async function ruleTag(adminUrl: string, token: string, ruleId: string): Promise<string | undefined> {
  try {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`${adminUrl}/v1/rules/${ruleId}`, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
    await answer.arrayBuffer();
    return answer.ok ? (answer.headers.get('etag') ?? undefined) : undefined;
  } catch {
    return undefined; // It was there a moment ago; what is shown for lack of this is no reason to stop.
  }
}
