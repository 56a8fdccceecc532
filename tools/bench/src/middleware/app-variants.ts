/** The same app three times: without a limit, with what any limiter has node:http do (`fields`), and with the skin. */
export const VARIANTS = ['bare', 'fields', 'limited'] as const;
export type Variant = (typeof VARIANTS)[number];
