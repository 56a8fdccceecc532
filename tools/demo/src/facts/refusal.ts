import { createLimiter } from '@sluice/limiter';
import { denialProblem, rateLimitHeaders } from '@sluice/middleware';
import { rulesOf } from '../rules-of.js';
import type { Fact } from '../lab.js';

/** Seven requests at once for a limit of five a second, and what the two that are refused are told. */
export const refusal: Fact = {
  title: 'limit 5/s, 7 requests at once',
  async show({ store, clock, run }) {
    clock.set(1_000_000_000_000);
    const rules = rulesOf(1, [{ rule_id: `${run}.refusal`, policy: 'default', limit: 5, window_seconds: 1 }]);
    const limiter = createLimiter({ store, rules, clock });
    const decisions = await Promise.all(Array.from({ length: 7 }, () => limiter.check({ key_id: 'demo' })));
    await limiter.close();
    const refused = decisions.filter(({ allowed }) => !allowed);
    const lines = [`${decisions.length - refused.length} allowed, ${refused.length} refused; a refusal carries:`];
    const [first] = refused;
    if (first === undefined) return lines;
    for (const [name, value] of Object.entries(rateLimitHeaders(first))) lines.push(`  ${name}: ${value}`);
    lines.push(`  ${JSON.stringify(denialProblem(first))}`);
    return lines;
  },
};
