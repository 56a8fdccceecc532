import type { ControlPlane } from '../../../../libs/snapshot-client/test/control-plane.js';
import type { ProxyTrust } from '@sluice/middleware';

/** Every way by which somebody is limited. */
export const SURFACES = [
  'Express',
  'Express, asking the decision service',
  'Fastify',
  'Nest on Express',
  'Nest on Fastify',
  'HTTP check',
  'forward-auth',
  'RLS',
  'gateway',
  'gateway, costs named by the upstream',
] as const;
export type SurfaceName = (typeof SURFACES)[number];

/** One request of one caller. */
export interface Question {
  /** The caller: attribute `key_id`. */
  readonly key: string;
  /** What is asked for: attribute `endpoint` is `GET` and this. */
  readonly path: string;
  /** Default 1. */
  readonly cost?: number | undefined;
  /** Further fields of the client's request, where there is one. */
  readonly fields?: SentFields | undefined;
}

/** Fields by name; of several values each is a line of its own. */
export type SentFields = Readonly<Record<string, string | string[]>>;

/** What came of it, whatever the protocol. */
export interface Answer {
  readonly allowed: boolean;
  /** HTTP status that the client gets; of RLS the one that the problem document names. */
  readonly status: number;
  /** Fields by which R70 is judged, in lower case. */
  readonly fields: Readonly<Record<string, string>>;
  /** The document, or an empty object. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Names of the policies that refuse. */
  readonly violated: readonly string[];
}

/** How one surface is asked. */
export interface Surface {
  readonly name: SurfaceName;
  ask(question: Question): Promise<Answer>;
  /** Permits left, without taking one, by what the surface has for that. */
  peek(question: Question): Promise<number>;
  /** A request that is charged, and given back by what the surface has for that: the answer of the charge. */
  askAndGiveBack(question: Pick<Question, 'key'>): Promise<Answer>;
  /** Decisions of this rule by the fallback, as the surface reports them. */
  fallbacks(ruleId: string): Promise<number>;
  close(): Promise<void>;
}

/** What a surface stands on. */
export interface Ground {
  readonly plane: ControlPlane;
  readonly redisUrl: string;
  readonly trust: ProxyTrust;
  /** Where an app says the endpoint of a route: all paths that are asked for. */
  readonly paths: readonly string[];
}

/** Charged, and given back since it fails. */
export const FAILING_PATH = '/fails';
