import { Body, Controller, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { proposedSnapshotSteps } from '@sluice/replay';
import { inSlices } from '@sluice/rules';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access } from '../access/access.decorator.js';
import { callerOf } from '../access/caller-of.js';
import { invalid } from '../input/invalid.js';
import { ApiProblems } from '../openapi/api-problems.js';
import { notFound } from '../problems/not-found.js';
import type { Backtest } from './backtest.js';
import { backtestJson } from './backtest-json.js';
import { backtestRequest } from './backtest-request.js';
import { BacktestBody, BacktestIdParam, BacktestPage, BacktestResource, BacktestsQuery } from './backtest.dto.js';
import { Backtests } from './backtests.js';
import { RulesInForce } from './rules-in-force.js';

const DEFAULT_LIMIT = 50;

const DESCRIPTION = [
  'Replays recorded decisions against a set of rules, with the algorithms of the nodes: what it would have refused, and how that differs from what was. Nothing is published. Every rule is taken as `exact`; rules in shadow are counted apart.',
  '`rules` is the whole set as a list, or `{"upsert": […], "remove": […]}` for changes of the set in force now, or at `against`. Plans and overrides are those of that set; an override holds until its expiry, by the time of each decision.',
  'Where allowed requests are sampled, `interval` says between what the true number of refusals lies, with 95 %, and `unresolved` how many of the projected ones the sample cannot confirm: all those of rules that charge denials, which `reason` says. Where nothing was sampled the result is exact.',
  'One runs at a time and four wait. The same request of the same caller gives the same backtest for an hour, unless it failed or was cancelled, the rules in force have changed since, or `to` is in the future or less than a minute ago: then events are still to come. Results are in the memory of this process: they are gone after an hour, and when it restarts.',
].join('\n\n');

const EXAMPLE = { from: '2026-11-29T00:00:00Z', to: '2026-11-30T00:00:00Z', rules: { upsert: [{ rule_id: 'free-default', plan: 'free', limit: 20, window_seconds: 1 }], remove: ['search'] }, filter: { plan: 'free' } };
const LOCATION = { Location: { description: 'Where it is.', schema: { type: 'string' } } } as const;

@ApiTags('backtests')
@Controller('v1/backtests')
export class BacktestsController {
  constructor(
    private readonly backtests: Backtests,
    private readonly inForce: RulesInForce,
  ) {}

  @Access('editor')
  @Post()
  @HttpCode(202)
  @ApiOperation({ operationId: 'startBacktest', summary: 'Starts a backtest', description: DESCRIPTION })
  @ApiBody({ type: BacktestBody, examples: { changes: { value: EXAMPLE } } })
  @ApiAcceptedResponse({ type: BacktestResource, description: 'It is queued, or was already.', headers: LOCATION })
  @ApiProblems(400, 401, 413, 415, 429, 503)
  async start(@Body() body: Record<string, unknown>, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { filter, rules, against, digest } = backtestRequest(body);
    const proposed = await inSlices(proposedSnapshotSteps(rules, await this.inForce.at(against), '/rules'));
    if (!proposed.ok) throw invalid(proposed.faults);
    const { snapshot, warnings, overridesLeftOut } = proposed;
    // Plans and overrides are those in force even where the whole set of rules was sent.
    const plan = { filter, snapshot, warnings, overridesLeftOut, digest: digest && `${digest}:${snapshot.version}` };
    const backtest = this.backtests.submit(plan, callerOf(request).actor);
    reply.code(202).header('location', `/v1/backtests/${backtest.id}`).send(shown(backtest));
  }

  @Access('viewer')
  @Get()
  @ApiOperation({ operationId: 'listBacktests', summary: 'Lists backtests', description: 'The newest first, without their results.' })
  @ApiOkResponse({ type: BacktestPage, description: 'One page.' })
  @ApiProblems(400, 401)
  list(@Query() { limit, cursor }: BacktestsQuery): object {
    const most = limit === undefined ? DEFAULT_LIMIT : Number(limit);
    const all = this.backtests.newestFirst();
    const start = cursor === undefined ? 0 : all.findIndex(({ id }) => id === cursor) + 1;
    if (cursor !== undefined && start === 0) throw invalid([{ pointer: '/query/cursor', detail: 'is of a backtest that is no longer kept' }]);
    const page = all.slice(start, start + most);
    const nowMs = Date.now();
    return { backtests: page.map((one) => backtestJson(one, { withResult: false, nowMs })), next_cursor: all.length > start + most ? (page.at(-1)?.id ?? null) : null };
  }

  @Access('viewer')
  @Get(':backtest_id(^[^:/]+)')
  @ApiOperation({ operationId: 'getBacktest', summary: 'Shows a backtest', description: 'While it runs `result` is what it comes to so far, and `partial`.' })
  @ApiOkResponse({ type: BacktestResource, description: 'As it is now.' })
  @ApiProblems(400, 401, 404)
  get(@Param() { backtest_id }: BacktestIdParam): object {
    return shown(this.named(backtest_id));
  }

  @Access('editor')
  @Post(':backtest_id(^[^:/]+)::cancel')
  @HttpCode(200)
  @ApiOperation({ operationId: 'cancelBacktest', summary: 'Ends a backtest', description: 'For who started it, and for admins. The partial result stays.' })
  @ApiOkResponse({ type: BacktestResource, description: 'It is cancelled.' })
  @ApiProblems(400, 401, 404, 409)
  cancel(@Param() { backtest_id }: BacktestIdParam, @Req() request: FastifyRequest): object {
    const backtest = this.named(backtest_id);
    this.backtests.cancel(backtest, callerOf(request));
    return shown(backtest);
  }

  private named(id: string): Backtest {
    const backtest = this.backtests.get(id);
    if (backtest === undefined) throw notFound(`Backtest ${id} is not known here. They are kept in memory for an hour, and gone after a restart.`);
    return backtest;
  }
}

function shown(backtest: Backtest): object {
  return backtestJson(backtest, { withResult: true, nowMs: Date.now() });
}
