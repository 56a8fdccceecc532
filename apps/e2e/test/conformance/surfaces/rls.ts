import type { RunningDecision } from '@sluice-app/decision';
import { grpcClient } from '../../../../../libs/envoy-rls/test/grpc-client.js';
import { RLS } from '../../../../../libs/envoy-rls/test/load-proto.js';
import { type Answer, FAILING_PATH, type Question, type Surface } from '../surface.js';
import { fallbacksOf } from './fallback-count.js';
import { remainingOf } from './http-answer.js';

/** What the official client reads, of what is looked at here. */
interface WireAnswer {
  readonly overall_code?: number;
  readonly response_headers_to_add?: readonly { readonly key: string; readonly value: string }[];
  readonly raw_body?: Buffer;
}

const OK = 1;

/** Envoy's `ShouldRateLimit` over gRPC, asked by grpc-js. */
export function rlsSurface({ url, grpcPort }: Pick<RunningDecision, 'url' | 'grpcPort'>): Surface {
  const client = grpcClient(grpcPort);
  async function call({ key, path, cost = 1 }: Question, isNegative = false): Promise<Answer> {
    const entries = [{ key: 'endpoint', value: `GET ${path}` }, { key: 'key_id', value: key }];
    const answer = await client.call(RLS, 'ShouldRateLimit', { domain: 'api', descriptors: [{ entries, hits_addend: { value: cost }, is_negative_hits: isNegative }] });
    if (answer instanceof Error) throw answer;
    return answerOf(answer as WireAnswer);
  }
  return {
    name: 'RLS',
    ask: (question) => call(question),
    peek: async (question) => remainingOf(await call({ ...question, cost: 0 })),
    async askAndGiveBack({ key }) {
      const charged = await call({ key, path: FAILING_PATH });
      await call({ key, path: FAILING_PATH }, true);
      return charged;
    },
    fallbacks: (ruleId) => fallbacksOf(url, ruleId),
    close: async () => client.close(),
  };
}

function answerOf({ overall_code, response_headers_to_add = [], raw_body }: WireAnswer): Answer {
  const text = raw_body?.toString() ?? '';
  const body: Record<string, unknown> = text === '' ? {} : JSON.parse(text);
  const violated = body['violated-policies'];
  return {
    allowed: overall_code === OK,
    status: overall_code === OK ? 200 : Number(body['status']),
    fields: Object.fromEntries(response_headers_to_add.map(({ key, value }) => [key, value])),
    body,
    violated: Array.isArray(violated) ? violated.map(String) : [],
  };
}
