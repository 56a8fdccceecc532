const known = new Set<string>();

/** Whether Intl can follow this IANA zone. Offsets such as `+01:00` are refused: they are no zones and know no summer time. */
export function isTimeZone(name: string): boolean {
  const key = name.toLowerCase();
  // Making a formatter costs tens of microseconds; only real zones are remembered, so the set stays small.
  if (known.has(key)) return true;
  if (!/^[a-z]/.test(key)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
  } catch {
    return false;
  }
  known.add(key);
  return true;
}
