/** Names in a sentence, the first few of many: `a, b and 7 more`. */
export function nameSome(names: readonly string[], most = 5): string {
  return names.length <= most ? names.join(', ') : `${names.slice(0, most).join(', ')} and ${names.length - most} more`;
}
