interface Family {
  readonly head: string[];
  readonly samples: string[];
}

/**
 * Puts texts of Prometheus together: each family once, with the samples of all. Processes have a label of their own, so that no two samples are one
 * and nothing has to be summed: a maximum or a version would come out wrong.
 */
export function mergeExpositions(texts: readonly string[]): string {
  const families = new Map<string, Family>();
  for (const text of texts) {
    let current: Family | undefined;
    let isNew = false;
    for (const line of text.split('\n')) {
      if (line === '') continue;
      const name = /^# HELP (\S+)/.exec(line)?.[1];
      if (name !== undefined) {
        isNew = !families.has(name);
        current = families.get(name) ?? { head: [], samples: [] };
        families.set(name, current);
      }
      if (!line.startsWith('#')) current?.samples.push(line);
      else if (isNew) current?.head.push(line);
    }
  }
  return `${[...families.values()].flatMap(({ head, samples }) => [...head, ...samples]).join('\n')}\n`;
}
