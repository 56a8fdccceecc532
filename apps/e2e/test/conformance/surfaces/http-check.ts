import type { RunningDecision } from '@sluice-app/decision';
import type { Answer, Question, Surface } from '../surface.js';
import { fallbacksOf } from './fallback-count.js';
import { exchange, type HttpAnswer, remainingOf } from './http-answer.js';

/** `POST /v1/ratelimit:check`. */
export function httpCheckSurface({ url }: Pick<RunningDecision, 'url'>): Surface {
  async function check({ key, path, cost = 1, fields }: Question, rest: object = {}): Promise<HttpAnswer> {
    const descriptors = [{ key: 'endpoint', value: `GET ${path}` }, { key: 'key_id', value: key }];
    return exchange(`${url}/v1/ratelimit:check`, { method: 'POST', fields, json: { domain: 'api', descriptors, cost, ...rest } });
  }
  return {
    name: 'HTTP check',
    ask: async (question) => answerOf(await check(question)),
    peek: async (question) => remainingOf(answerOf(await check(question, { peek: true }))),
    async askAndGiveBack({ key }) {
      const charged = await check({ key, path: '/fails' }, { reserve: true });
      const { status } = await exchange(`${url}/v1/ratelimit:refund`, { method: 'POST', json: { decision_id: charged.body['decision_id'] } });
      if (charged.body['allowed'] === true && status !== 200) throw new Error(`not given back: ${status}`);
      return answerOf(charged);
    },
    fallbacks: (ruleId) => fallbacksOf(url, ruleId),
    close: async () => undefined,
  };
}

function answerOf({ status, fields, body }: HttpAnswer): Answer {
  const policies = Array.isArray(body['policies']) ? (body['policies'] as { policy: string; allowed: boolean }[]) : [];
  return { allowed: body['allowed'] === true, status, fields, body, violated: policies.flatMap(({ policy, allowed }) => (allowed ? [] : [policy])) };
}
