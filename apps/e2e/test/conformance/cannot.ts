import type { SurfaceName } from './surface.js';

/** What is asked of every surface. */
export const CHECKS = [
  'fields',
  'problem document',
  'status 429',
  'Retry-After',
  'refund',
  'peek',
  'cost before the request',
  'cost after the request',
  'shadow',
  'several limits',
  'counted once',
  'fail-open',
  'fail-closed',
  'status 503',
  'rule changed',
  'shared counter',
  'client address',
  'identity fields',
] as const;
export type CheckName = (typeof CHECKS)[number];

/** What a surface cannot do by its nature: nothing else is left out. */
export const CANNOT: readonly { readonly surface: SurfaceName; readonly check: CheckName; readonly why: string }[] = [
  { surface: 'HTTP check', check: 'status 429', why: 'the check itself succeeded, so that its status is 200 (R72); the caller of the service refuses' },
  { surface: 'HTTP check', check: 'status 503', why: 'as above: the reason store_unavailable says what the caller is to answer' },
  { surface: 'HTTP check', check: 'problem document', why: 'the answer is the decision, with its reason and each policy' },
  { surface: 'RLS', check: 'status 503', why: 'the protocol knows over or not, and Envoy answers one status for over; the reason is in the document (docs/adr/0027)' },
  { surface: 'gateway', check: 'cost before the request', why: 'a request that is sent on costs 1' },
  { surface: 'gateway, costs named by the upstream', check: 'cost before the request', why: 'the upstream says the cost once it has answered' },
  ...(['Express', 'Express, asking the decision service', 'Fastify', 'Nest on Express', 'Nest on Fastify'] as const).map(
    (surface) => ({ surface, check: 'cost after the request', why: 'an app that learns the cost late reserves and settles by the limiter itself' }) as const,
  ),
  { surface: 'gateway', check: 'cost after the request', why: 'it does not heed Sluice-Cost unless it is told to' },
  { surface: 'RLS', check: 'cost after the request', why: 'the protocol has no reservations; a second call charges or gives back' },
  { surface: 'HTTP check', check: 'client address', why: 'it sees no client: whoever asks names the address' },
  { surface: 'RLS', check: 'client address', why: 'it sees no client: Envoy names the address' },
  { surface: 'RLS', check: 'identity fields', why: 'it sees no fields of a client: Envoy names the caller' },
];

export function can(surface: SurfaceName, check: CheckName): boolean {
  return !CANNOT.some((left) => left.surface === surface && left.check === check);
}
