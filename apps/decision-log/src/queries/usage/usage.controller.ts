import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access } from '../../access/access.decorator.js';
import { callerOf } from '../../access/caller-of.js';
import { ApiProblems } from '../../openapi/api-problems.js';
import { UsagePage } from './usage.dto.js';
import { UsageQuery } from './usage-query.dto.js';
import { UsageService } from './usage.service.js';

const DESCRIPTION = [
  'Of decisions, not of rules in shadow. Where what passed is sampled, each recorded request stands for as many as its share says: the sums are estimates, and `sampled` and `standard_error` say so. Parts of time in which nothing was recorded have no row; with sampling, something may have passed in them all the same.',
  '',
  'A row for each group and part of time, in the order of both. 422 where one group alone has more parts of time than 10,000; `detail` says which `bucket` would do. Pages are cut by time and group, so that none is lost or repeated; `from` and `to` of the first page hold for all.',
].join('\n');

@ApiTags('usage')
@Controller('v1/usage')
export class UsageController {
  constructor(private readonly usage: UsageService) {}

  @Access('viewer', 'tenant')
  @Get()
  @ApiOperation({ operationId: 'getUsage', summary: 'Sums up what was decided', description: DESCRIPTION })
  @ApiOkResponse({ type: UsagePage, description: 'One page.' })
  @ApiProblems(400, 401, 422, 503)
  async page(@Query() query: UsageQuery, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const page = await this.usage.page(query, callerOf(request));
    reply.send(page);
  }
}
