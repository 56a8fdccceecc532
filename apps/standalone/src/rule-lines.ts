/** Where the rules API is, and what to write where the token goes; it may be a variable of the shell. */
export interface RuleLinesParts {
  readonly adminUrl: string;
  readonly shownToken: string;
  /** Undefined: the rule is not there. */
  readonly tag: string | undefined;
}

/** Lines for a shell that read and change the rule of the free plan as it is now, so that they work when pasted; without that rule, what lists the rules. */
export function ruleLines({ adminUrl, shownToken, tag }: RuleLinesParts): string {
  const bearer = `-H "Authorization: Bearer ${shownToken}"`;
  if (tag === undefined) return `  curl -si ${bearer} ${adminUrl}/v1/rules`;
  const rule = `${adminUrl}/v1/rules/free-default`;
  const change = '{"plan":"free","endpoint":"*","limit":20,"window_seconds":1}';
  return `  curl -si ${bearer} ${rule}
  curl -si -X PUT ${bearer} -H 'Content-Type: application/json' -H 'If-Match: ${tag}' -d '${change}' ${rule}`;
}
