import type { RunningDecision } from '@sluice-app/decision';
import { type Answer, FAILING_PATH, type Ground, type SentFields, type Surface } from '../surface.js';
import { fallbacksOf } from './fallback-count.js';
import { askHttp, exchange, remainingOf } from './http-answer.js';
import { knownKey } from './known-key.js';

/** `/v1/authorize`, asked as a proxy asks it: the client's fields and its own. */
export function forwardAuthSurface({ url }: Pick<RunningDecision, 'url'>, { plane }: Pick<Ground, 'plane'>): Surface {
  const fieldsOf = (key: string, path: string): Record<string, string> => ({ 'X-Api-Key': knownKey(plane, key), 'X-Original-URI': path, 'X-Original-Method': 'GET' });
  const ask: Surface['ask'] = ({ key, path, cost = 1, fields }) => askProxied(`${url}/v1/authorize?fields=original&cost=${cost}`, { ...fields, ...fieldsOf(key, path) });
  return {
    name: 'forward-auth',
    ask,
    peek: async (question) => remainingOf(await ask({ ...question, cost: 0 })),
    async askAndGiveBack({ key }) {
      const answer = await askProxied(`${url}/v1/authorize?fields=original&reserve=true`, fieldsOf(key, FAILING_PATH));
      const { status } = await exchange(`${url}/v1/ratelimit:refund`, { method: 'POST', json: { decision_id: answer.fields['sluice-decision-id'] } });
      if (answer.allowed && status !== 200) throw new Error(`not given back: ${status}`);
      return answer;
    },
    fallbacks: (ruleId) => fallbacksOf(url, ruleId),
    close: async () => undefined,
  };
}

/** The proxy gets the status that it was set up to understand, and in a field the one that a client should see (docs/adr/0028). */
async function askProxied(url: string, fields: SentFields): Promise<Answer> {
  const answer = await askHttp(url, fields);
  const status = Number(answer.fields['sluice-status'] ?? answer.status);
  return { ...answer, allowed: answer.status === 200, status };
}
