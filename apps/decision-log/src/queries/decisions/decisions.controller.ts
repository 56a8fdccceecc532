import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access } from '../../access/access.decorator.js';
import { callerOf } from '../../access/caller-of.js';
import { ApiProblems } from '../../openapi/api-problems.js';
import { DecisionPage } from './decision.dto.js';
import { DecisionsQuery } from './decisions-query.dto.js';
import { DecisionsService } from './decisions.service.js';

const DESCRIPTION = [
  'The newest first. Refusals, refusals by rules in shadow and requests without known credentials are all recorded; of what passed a share, which each entry says (`sampled_share`): what is not here may have happened all the same, and passed.',
  '',
  'Pages are cut by time and event id. What is stored meanwhile is on none of them, unless it is older than where the page before ended; `from` and `to` of the first page hold for all.',
].join('\n');

@ApiTags('decisions')
@Controller('v1/decisions')
export class DecisionsController {
  constructor(private readonly decisions: DecisionsService) {}

  @Access('viewer', 'tenant')
  @Get()
  @ApiOperation({ operationId: 'listDecisions', summary: 'Lists decisions', description: DESCRIPTION })
  @ApiOkResponse({ type: DecisionPage, description: 'One page.' })
  @ApiProblems(400, 401, 422, 503)
  async list(@Query() query: DecisionsQuery, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const page = await this.decisions.page(query, callerOf(request));
    reply.send(page);
  }
}
