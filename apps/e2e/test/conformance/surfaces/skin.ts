import type { IncomingHttpHeaders } from 'node:http';
import type { Decision } from '@sluice/limiter';
import type { AskedDecider, RateLimitOptions } from '@sluice/middleware';
import { FAILING_PATH, type Ground, type Surface, type SurfaceName } from '../surface.js';
import { askHttp, remainingOf } from './http-answer.js';

/** What the options read of any framework's request. */
export interface AnyRequest {
  readonly headers: IncomingHttpHeaders;
}

/** The options that each skin is given; a user would name the caller by his own authentication. */
export interface SkinParts {
  readonly options: RateLimitOptions<AnyRequest>;
  /** For the route whose requests cost nothing when they fail. */
  readonly refundWhen: (status: number) => boolean;
  fallbacks(ruleId: string): number;
}

export function skinParts(limiter: AskedDecider, { trust }: Pick<Ground, 'trust'>): SkinParts {
  const counts = new Map<string, number>();
  const observe = ({ deciding }: Decision): void => {
    if (deciding?.source === 'fallback') counts.set(deciding.ruleId, (counts.get(deciding.ruleId) ?? 0) + 1);
  };
  return {
    options: {
      limiter,
      key: ({ headers }) => headers['x-user']?.toString(),
      cost: ({ headers }) => Number(headers['x-cost'] ?? 1),
      trustedProxies: trust,
      observe,
      onWarning: () => undefined,
    },
    refundWhen: (status) => status >= 500,
    fallbacks: (ruleId) => counts.get(ruleId) ?? 0,
  };
}

/** A skin's app that listens, as a surface. */
export function skinSurface(name: SurfaceName, url: string, parts: SkinParts, close: () => Promise<void>): Surface {
  const ask: Surface['ask'] = ({ key, path, cost, fields }) => askHttp(url + path, { ...fields, 'X-User': key, ...(cost !== undefined && { 'X-Cost': String(cost) }) });
  return {
    name,
    ask,
    peek: async (question) => remainingOf(await ask({ ...question, cost: 0 })),
    askAndGiveBack: ({ key }) => ask({ key, path: FAILING_PATH }),
    fallbacks: async (ruleId) => parts.fallbacks(ruleId),
    close,
  };
}
