const UNIT_MS = new Map([
  ['H', 3_600_000],
  ['M', 60_000],
  ['S', 1_000],
  ['m', 1],
  ['u', 1e-3],
  ['n', 1e-6],
]);

/** `grpc-timeout`, in ms: at most 8 digits and a unit. @returns undefined for what is none */
export function parseGrpcTimeout(text: string): number | undefined {
  const unitMs = UNIT_MS.get(text.at(-1) ?? '');
  const digits = text.slice(0, -1);
  return unitMs !== undefined && /^\d{1,8}$/.test(digits) ? Number(digits) * unitMs : undefined;
}
