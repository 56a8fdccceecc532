/** Decisions of a rule by the fallback, of the metrics of one of our services. */
export async function fallbacksOf(opsUrl: string, ruleId: string): Promise<number> {
  const text = await (await fetch(`${opsUrl}/metrics`)).text();
  let count = 0;
  for (const [, labels = '', value] of text.matchAll(/^sluice_decisions_total\{([^}]*)\} (\d+)$/gm)) {
    if (labels.includes(`rule="${ruleId}"`) && labels.includes('source="fallback"')) count += Number(value);
  }
  return count;
}
