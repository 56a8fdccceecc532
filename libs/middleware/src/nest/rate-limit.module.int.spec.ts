import { Controller, Get } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { type ControlPlane, startControlPlane } from '../../../snapshot-client/test/control-plane.js';
import { PLATFORMS, startNest } from '../../test/nest-app.js';
import type { OpenedLimiter } from '../open/open-limiter-options.js';
import { LIMITER, RateLimitGuard, RateLimitModule } from './index.js';

let finish: () => void;
const asked: string[] = [];

@Controller('slow')
class Slow {
  @Get()
  async get(): Promise<string> {
    asked.push('slow');
    await new Promise<void>((resolve) => (finish = resolve));
    return 'served';
  }
}

describe.each(PLATFORMS)('R44 RateLimitModule opens a limiter by its options and closes it, on %s', (platform) => {
  let plane: ControlPlane;
  afterEach(() => plane.close());

  it('has rules when it starts, and gives up its limiter only after the last answer', async () => {
    plane = await startControlPlane({ version: 1, plans: [], overrides: [], rules: [{ rule_id: 'per-ip', version: 1, count_by: ['ip'], limit: 7, window_seconds: 60 }] });
    const limiter = { rules: { adminUrl: plane.url, token: 'node', pollMs: 50 } };
    const { app, url } = await startNest(platform, { imports: [RateLimitModule.forRoot({ limiter })], controllers: [Slow], providers: [{ provide: APP_GUARD, useClass: RateLimitGuard }] });
    const opened = app.get<OpenedLimiter>(LIMITER);
    let closedBefore: boolean | undefined;
    let mayAnswer = false;
    const close = opened.close.bind(opened);
    opened.close = async () => {
      closedBefore = !mayAnswer;
      await close();
    };
    const before = asked.length;
    const answer = fetch(`${url}/slow`, { headers: { connection: 'close' } });
    while (asked.length === before) await new Promise((resolve) => setTimeout(resolve, 5));
    const closing = app.close();
    await new Promise((resolve) => setTimeout(resolve, 50));
    mayAnswer = true;
    finish();
    const { status, headers } = await answer;
    await closing;
    expect([status, headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]).toEqual([200, '7', '6']);
    expect(closedBefore).toBe(false);
    const polls = plane.seen.length;
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(plane.seen.length).toBe(polls);
    expect(plane.seen[0]?.authorization).toBe('Bearer node');
  });

  it('starts without rules where the control plane is away, and refuses with 503 till they are there', async () => {
    plane = await startControlPlane();
    plane.answer = (_request, response) => void response.writeHead(503).end();
    const limiter = { rules: { adminUrl: plane.url, pollMs: 50 }, onProblem: () => undefined };
    const { app, url } = await startNest(platform, { imports: [RateLimitModule.forRoot({ limiter })], controllers: [Slow], providers: [{ provide: APP_GUARD, useClass: RateLimitGuard }] });
    expect((await fetch(`${url}/slow`)).status).toBe(503);
    await app.close();
  }, 20_000);
});
