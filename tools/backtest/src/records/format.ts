export const FORMATS = ['jsonl', 'csv', 'combined'] as const;
export type Format = (typeof FORMATS)[number];

const GZ = /\.gz$/i;

/** What a file's name says of what is in it. */
export function formatOf(name: string): Format {
  const bare = name.replace(GZ, '').toLowerCase();
  if (bare.endsWith('.csv')) return 'csv';
  return bare.endsWith('.log') ? 'combined' : 'jsonl';
}

export function isGzip(name: string): boolean {
  return GZ.test(name);
}
