export const FORMATS = ['jsonl', 'csv', 'combined'] as const;
export type Format = (typeof FORMATS)[number];

/** What a file's name says of what is in it. */
export function formatOf(name: string): Format {
  const bare = name.replace(/\.gz$/i, '').toLowerCase();
  if (bare.endsWith('.csv')) return 'csv';
  return bare.endsWith('.log') ? 'combined' : 'jsonl';
}
