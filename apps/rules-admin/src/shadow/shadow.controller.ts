import { Body, Controller, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Access } from '../access/access.decorator.js';
import { ApiProblems } from '../openapi/api-responses.js';
import { RuleIdParam } from '../rules/rule.dto.js';
import { ShadowCountsBody, ShadowCountsTaken } from './shadow-counts.dto.js';
import { ShadowCountsService } from './shadow-counts.service.js';
import { ShadowReportQuery, ShadowReportResource } from './shadow-report.dto.js';
import { ShadowReportService } from './shadow-report.service.js';

const REPORT_DESCRIPTION = [
  'Of a rule in mode `shadow`, or of the proposal of a rule. Every node counts every request that the rule would have decided if it were enforced, and sends its counts every ten seconds or so; `complete_until` says how far all of them are.',
  'A request that a limit of another policy refused is not counted: it would be refused anyway. Counters of other policies are those in force, so they were charged also for what this rule would have refused. Counts are kept for 7 days.',
].join('\n\n');

const COUNTS_EXAMPLE = {
  node_id: 'Zk3v0aQ9b1xT',
  complete_until: '2026-12-01T14:02:31.250Z',
  counts: [{ rule_id: 'proposed:free-default', rule_version: 2, minute: '2026-12-01T14:02:00Z', key: null, allowed: 40, denied: 3, unknown: 0 }],
};

@ApiTags('staging')
@Controller('v1')
export class ShadowController {
  constructor(
    private readonly counts: ShadowCountsService,
    private readonly reports: ShadowReportService,
  ) {}

  @Access('viewer')
  @Get('rules/:rule_id/shadow-report')
  @ApiOperation({ operationId: 'getShadowReport', summary: 'Says what a rule in shadow would have refused', description: REPORT_DESCRIPTION })
  @ApiOkResponse({ type: ShadowReportResource, description: 'The report.' })
  @ApiProblems(400, 401, 404, 503)
  async report(@Param() { rule_id }: RuleIdParam, @Query() query: ShadowReportQuery, @Res() reply: FastifyReply): Promise<void> {
    reply.code(200).header('cache-control', 'no-store').send(await this.reports.report(rule_id, query));
  }

  @Access('node', 'admin')
  @Post('shadow-counts')
  @HttpCode(200)
  @ApiOperation({ operationId: 'sendShadowCounts', summary: 'Takes what a node counted for rules in shadow', description: 'For nodes. The same counts again change nothing.' })
  @ApiBody({ type: ShadowCountsBody, examples: { one: { value: COUNTS_EXAMPLE } } })
  @ApiOkResponse({ type: ShadowCountsTaken, description: 'They are stored.' })
  @ApiProblems(400, 401, 413, 415, 503)
  async take(@Body() body: ShadowCountsBody, @Res() reply: FastifyReply): Promise<void> {
    reply.code(200).header('cache-control', 'no-store').send(await this.counts.take(body));
  }
}
