import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access } from '../../access/access.decorator.js';
import { callerOf } from '../../access/caller-of.js';
import { ApiProblems } from '../../openapi/api-problems.js';
import { ExplainQuery } from './explain-query.dto.js';
import { ExplainService } from './explain.service.js';
import { DecisionExplanation } from './explanation.dto.js';

const DESCRIPTION = [
  'By `key_id` and `at`: the refusal of that key nearest to that time, within the window before and after it; where there was none, the decision nearest to it; else `nothing`. By `event_id`: that event.',
  '',
  'The rule is the one that decided, at the version that the node had, whether or not it or an override has changed, expired or gone since. `sentence` can be sent on to the customer. While the control plane cannot be asked, the texts of rules lack, and `notes` says so.',
].join('\n');

@ApiTags('decisions')
@Controller('v1')
export class ExplainController {
  constructor(private readonly explainer: ExplainService) {}

  // The router takes one colon for a parameter and two for a colon.
  @Access('viewer', 'tenant')
  @Get('decisions::explain')
  @ApiOperation({ operationId: 'explainDecision', summary: 'Explains why a key was refused', description: DESCRIPTION })
  @ApiOkResponse({ type: DecisionExplanation, description: 'What was decided, and why.' })
  @ApiProblems(400, 401, 404, 422, 503)
  async explain(@Query() query: ExplainQuery, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const explanation = await this.explainer.explain(query, callerOf(request));
    reply.send(explanation);
  }
}
