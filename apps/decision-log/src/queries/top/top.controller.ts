import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access } from '../../access/access.decorator.js';
import { callerOf } from '../../access/caller-of.js';
import { ApiProblems } from '../../openapi/api-problems.js';
import { TopList } from './top.dto.js';
import { TopQuery } from './top-query.dto.js';
import { TopService } from './top.service.js';

const DESCRIPTION = 'Of decisions, not of rules in shadow. Refusals are all recorded, so that the order by them is exact; what passed may be sampled, and then the order by requests is an estimate, as `standard_error` says. Requests of which it is not known (without a key, say) are nobody, and left out.';

@ApiTags('usage')
@Controller('v1/top')
export class TopController {
  constructor(private readonly top: TopService) {}

  @Access('viewer', 'tenant')
  @Get()
  @ApiOperation({ operationId: 'getTop', summary: 'Says who is refused most, or asks most', description: DESCRIPTION })
  @ApiOkResponse({ type: TopList, description: 'The list.' })
  @ApiProblems(400, 401, 422, 503)
  async list(@Query() query: TopQuery, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const list = await this.top.list(query, callerOf(request));
    reply.send(list);
  }
}
