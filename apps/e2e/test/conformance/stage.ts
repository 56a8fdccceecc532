import { RemoteDecider, type ProxyTrust } from '@sluice/middleware';
import type { Limiter } from '@sluice/limiter';
import type { Rule } from '@sluice/rules';
import { type RedisServer, startRedis } from '@sluice/testkit';
import { type ControlPlane, startControlPlane } from '../../../../libs/snapshot-client/test/control-plane.js';
import { pathsOf, snapshotOf } from './rules.js';
import { type Ground, type Surface, type SurfaceName, SURFACES } from './surface.js';
import { startDecision } from './surfaces/decision.js';
import { startEngine } from './surfaces/engine.js';
import { expressSurface } from './surfaces/express.js';
import { fastifySurface } from './surfaces/fastify.js';
import { forwardAuthSurface } from './surfaces/forward-auth.js';
import { gatewaySurface } from './surfaces/gateway.js';
import { httpCheckSurface } from './surfaces/http-check.js';
import { nestSurface } from './surfaces/nest.js';
import { rlsSurface } from './surfaces/rls.js';

/** All surfaces on one control plane and one Redis. */
export interface Stage {
  readonly plane: ControlPlane;
  readonly redis: RedisServer;
  readonly decisionUrl: string;
  /** A node that serves nobody: what it peeks is what the shared counters hold, whatever a surface says of itself. */
  readonly witness: Limiter;
  surface(name: SurfaceName): Surface;
  close(): Promise<void>;
}

export async function startStage(rules: readonly Rule[], trust: ProxyTrust = 'none'): Promise<Stage> {
  const redis = await startRedis();
  const plane = await startControlPlane(snapshotOf(1, rules));
  const ground: Ground = { plane, redisUrl: redis.url, trust, paths: pathsOf(rules) };
  const house = await startDecision(ground);
  const remote = new RemoteDecider({ url: house.decision.url, onFailure: 'deny', timeoutMs: 10_000 });
  const [own, fastify, nestExpress, nestFastify] = [await startEngine(ground), await startEngine(ground), await startEngine(ground), await startEngine(ground)];
  const surfaces: readonly Surface[] = [
    await expressSurface('Express', own.limiter, ground, own.close),
    await expressSurface('Express, asking the decision service', remote, ground, () => remote.close()),
    await fastifySurface(fastify, ground),
    await nestSurface('Express', nestExpress, ground),
    await nestSurface('Fastify', nestFastify, ground),
    httpCheckSurface(house.decision),
    forwardAuthSurface(house.decision, ground),
    rlsSurface(house.decision),
    await gatewaySurface(ground, false),
    await gatewaySurface(ground, true),
  ];
  expect(surfaces.map(({ name }) => name)).toEqual([...SURFACES]);
  const witness = await startEngine(ground);
  return {
    plane,
    redis,
    decisionUrl: house.decision.url,
    witness: witness.limiter,
    surface(name) {
      const found = surfaces.find((surface) => surface.name === name);
      if (found === undefined) throw new Error(`no surface ${name}`);
      return found;
    },
    async close() {
      for (const surface of surfaces) await surface.close();
      await house.close();
      await witness.close();
      await plane.close();
      await redis.stop();
    },
  };
}
