import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Access } from '../../access/access.decorator.js';
import { ApiProblems } from '../../openapi/api-problems.js';
import { COUNTS_WHAT, ShadowHistory } from './shadow-report.dto.js';
import { ShadowReportQuery } from './shadow-report-query.dto.js';
import { ShadowReportService } from './shadow-report.service.js';

const DESCRIPTION = ['What a rule in mode `shadow`, or the proposal of a rule, would have refused of what passed: over time, by key and by version.', '', `It counts: ${COUNTS_WHAT}`].join('\n');

@ApiTags('shadow')
@Controller('v1/shadow-report')
export class ShadowReportController {
  constructor(private readonly reports: ShadowReportService) {}

  @Access('viewer')
  @Get()
  @ApiOperation({ operationId: 'getShadowHistory', summary: 'Says what a rule in shadow would have refused', description: DESCRIPTION })
  @ApiOkResponse({ type: ShadowHistory, description: 'The report; of a rule that nobody knows it is empty.' })
  @ApiProblems(400, 401, 422, 503)
  async report(@Query() query: ShadowReportQuery, @Res() reply: FastifyReply): Promise<void> {
    const report = await this.reports.report(query);
    reply.send(report);
  }
}
