import { Controller, Get, HttpCode, Inject, Param, Post, Query, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { problem, ProblemException, problemType } from '@sluice/platform';
import type { FastifyRequest } from 'fastify';
import { Access } from '../access/access.decorator.js';
import { callerOf } from '../access/caller-of.js';
import { ApiProblems } from '../openapi/api-problems.js';
import { ABUSE_RULES } from './abuse-rules.token.js';
import { Detector } from './detector.js';
import { AbuseStatus, FindingIdParam, FindingPage, FindingResource, FindingsQuery } from './finding.dto.js';
import { findingJson } from './finding-json.js';
import type { Finding } from './finding.js';
import { Findings } from './findings.js';
import type { AbuseRules } from './pattern.js';

const DEFAULT_LIMIT = 50;

@ApiTags('abuse')
@Controller('v1/abuse')
export class AbuseController {
  constructor(
    @Inject(ABUSE_RULES) private readonly rules: AbuseRules,
    private readonly detector: Detector,
    private readonly findings: Findings,
  ) {}

  @Access('viewer')
  @Get()
  @ApiOperation({ operationId: 'getAbuseStatus', summary: 'Says what is looked for', description: 'Patterns come from the file that `SLUICE_ABUSE_FILE` names.' })
  @ApiOkResponse({ type: AbuseStatus, description: 'How it stands.' })
  @ApiProblems(401, 403, 503)
  status(): object {
    const { dryRun, patterns } = this.rules;
    const { lookedAtMs, fault } = this.detector.status;
    return {
      dry_run: dryRun,
      patterns: patterns.map(({ id, kind, windowMs, action }) => ({ pattern_id: id, kind, window_seconds: windowMs / 1000, action: dryRun ? 'propose' : action })),
      looked_at: lookedAtMs === undefined ? null : new Date(lookedAtMs).toISOString(),
      fault: fault ?? null,
    };
  }

  @Access('viewer')
  @Get('findings')
  @ApiOperation({ operationId: 'listFindings', summary: 'Lists what was found', description: 'Found in the windows of the events’ own times, late ones included.' })
  @ApiOkResponse({ type: FindingPage, description: 'One page.' })
  @ApiProblems(400, 401, 403, 503)
  list(@Query() { pattern_id: patternId, state, limit, cursor }: FindingsQuery): object {
    const most = limit === undefined ? DEFAULT_LIMIT : Number(limit);
    const all = this.findings.newestFirst();
    const start = cursor === undefined ? 0 : all.findIndex(({ findingId }) => findingId === cursor) + 1;
    if (cursor !== undefined && start === 0) throw notFound(cursor);
    const meant = all.slice(start).filter((one) => (patternId === undefined || one.patternId === patternId) && (state === undefined || one.state === state));
    const page = meant.slice(0, most);
    return { findings: page.map((one) => findingJson(one, Date.now())), next_cursor: meant.length > most ? (page.at(-1)?.findingId ?? null) : null };
  }

  @Access('viewer')
  @Get('findings/:finding_id(^[^:/]+)')
  @ApiOperation({ operationId: 'getFinding', summary: 'Shows a finding' })
  @ApiOkResponse({ type: FindingResource, description: 'As it is now.' })
  @ApiProblems(400, 401, 403, 404, 503)
  get(@Param() { finding_id }: FindingIdParam): object {
    return findingJson(this.named(finding_id), Date.now());
  }

  @Access('editor')
  @Post('findings/:finding_id(^[^:/]+)::apply')
  @HttpCode(200)
  @ApiOperation({ operationId: 'applyFinding', summary: 'Makes the overrides that were proposed', description: 'In the name of who asks: the control plane checks the role once more and has the name in its audit. They last from now as long as the pattern says. What is there already is not made twice.' })
  @ApiOkResponse({ type: FindingResource, description: 'As it is after that.' })
  @ApiProblems(400, 401, 403, 404, 409, 503)
  async apply(@Param() { finding_id }: FindingIdParam, @Req() request: FastifyRequest): Promise<object> {
    const finding = this.named(finding_id);
    if (finding.state !== 'proposed' || finding.overrides.length === 0) throw conflict(finding.state === 'proposed' ? 'This finding has no override to apply.' : `This finding is ${finding.state}.`);
    const applied = await this.detector.apply(finding, callerOf(request).actor, request.headers.authorization ?? '');
    if (applied === 'busy') throw conflict('Somebody applies this finding at this moment.');
    if (applied === undefined) throw unavailable();
    return findingJson(applied, Date.now());
  }

  @Access('editor')
  @Post('findings/:finding_id(^[^:/]+)::dismiss')
  @HttpCode(200)
  @ApiOperation({ operationId: 'dismissFinding', summary: 'Says that nothing is to be done about a proposed finding', description: 'The pattern leaves its subject alone until `held_until`.' })
  @ApiOkResponse({ type: FindingResource, description: 'As it is after that.' })
  @ApiProblems(400, 401, 403, 404, 409, 503)
  dismiss(@Param() { finding_id }: FindingIdParam, @Req() request: FastifyRequest): object {
    const finding = this.named(finding_id);
    if (finding.state !== 'proposed' || this.detector.isInHand(finding)) throw conflict(`This finding is ${finding.state === 'proposed' ? 'being applied' : finding.state}. To end an override delete it in the control plane.`);
    return findingJson(this.detector.dismiss(finding, callerOf(request).actor), Date.now());
  }

  private named(findingId: string): Finding {
    const finding = this.findings.get(findingId);
    if (finding === undefined) throw notFound(findingId);
    return finding;
  }
}

function notFound(findingId: string): ProblemException {
  return new ProblemException(problem(404, { type: problemType('not-found'), title: 'Not found', detail: `Finding ${findingId} is not known here. Findings are kept in memory, by each replica its own.` }));
}

function conflict(detail: string): ProblemException {
  return new ProblemException(problem(409, { type: problemType('finding-state'), title: 'Conflict', detail }));
}

function unavailable(): ProblemException {
  const detail = 'The control plane cannot be asked now, so that not all overrides were made. The same request makes what is missing.';
  return new ProblemException(problem(503, { type: problemType('control-plane-unavailable'), title: 'Control plane unavailable', detail }), { 'retry-after': '2' });
}
