import { randomUUID } from 'node:crypto';
import { startPostgres } from '@sluice/testkit';
import { type Answer, type ControlPlane, startControlPlane } from './control-plane.js';
import { startCuttingProxy } from './cutting-proxy.js';
import { createOverride, furnish, OVERRIDE, overrideIds } from './override-plane.js';

/** As a client does that was left without an answer, or told to wait. */
async function repeated(plane: ControlPlane, key: string, json: object): Promise<Answer> {
  for (;;) {
    const answer = await createOverride(plane, json, key);
    if (answer.status !== 409 && answer.status !== 503) return answer;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe('R52 a crash between any two statements', () => {
  it('leaves both the override and its record, or neither: the same request again makes one override in all', async () => {
    const plane = await startControlPlane();
    await furnish(plane);
    const proxy = await startCuttingProxy(plane.databaseUrl, 'sluice-rules-admin');
    const cut = await startControlPlane({ databaseUrl: proxy.url });
    const seen = { lost: 0, replayed: 0, createdAgain: 0 };
    let statements = 0;
    for (const point of ['before the statement', 'before its answer'] as const) {
      for (let nth = 1; ; nth += 1) {
        const key = randomUUID();
        const json = { ...OVERRIDE, limit: nth };
        const before = new Set(await overrideIds(plane));
        proxy.arm(nth, point);
        const first = await createOverride(cut, json, key);
        if (!proxy.disarm()) {
          expect(first.status).toBe(201);
          statements = nth - 1;
          break;
        }
        expect([point, nth, first.status]).toEqual([point, nth, 503]);
        seen.lost += 1;
        // On another replica.
        const again = await repeated(plane, key, json);
        expect(again.status).toBe(201);
        const isReplay = again.headers.has('idempotency-replayed');
        seen[isReplay ? 'replayed' : 'createdAgain'] += 1;
        expect((await overrideIds(plane)).filter((id) => !before.has(id))).toEqual([again.body['override_id']]);
        expect((await createOverride(cut, json, key)).text).toBe(again.text);
      }
    }
    // Begin, lock, look, version lock, checks, change, log, record, commit. Only of a commit whose answer was lost the change was there.
    expect(statements).toBeGreaterThan(12);
    expect(seen).toEqual({ lost: 2 * statements, replayed: 1, createdAgain: 2 * statements - 1 });
    await cut.close();
    await proxy.close();
    await plane.close();
  }, 120_000);

  it('PostgreSQL killed while it runs: again after the restart, and there is one', async () => {
    const postgres = await startPostgres();
    const plane = await startControlPlane({ databaseUrl: postgres.url });
    await furnish(plane);
    for (const delayMs of [0, 3, 6, 12, 25]) {
      const key = randomUUID();
      const before = new Set(await overrideIds(plane));
      const first = createOverride(plane, OVERRIDE, key);
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      await postgres.kill();
      expect([201, 503]).toContain((await first).status);
      await postgres.restart();
      const again = await repeated(plane, key, OVERRIDE);
      expect(again.status).toBe(201);
      if ((await first).status === 201) expect(again.text).toBe((await first).text);
      expect((await overrideIds(plane)).filter((id) => !before.has(id))).toEqual([again.body['override_id']]);
    }
    await plane.close();
    await postgres.stop();
  }, 120_000);
});
