import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Access } from '../access/access.decorator.js';
import { ApiProblems } from '../openapi/api-responses.js';
import { ExplainBody, ExplanationResource } from './explain.dto.js';
import { ExplainService } from './explain.service.js';

const DESCRIPTION = [
  'Which rules match a request, which apply and what the others lost to, how the counters stand, and what the decision would be. It consumes nothing.',
  '',
  'The counters are those that nodes share, so that permits which nodes hold as leases count as used. Without SLUICE_REDIS_URL the answer has everything but `decision` and the counters.',
].join('\n');

@ApiTags('explain')
@Controller('v1/explain')
export class ExplainController {
  constructor(private readonly explainer: ExplainService) {}

  @Access('viewer')
  @Post()
  @HttpCode(200)
  @ApiOperation({ operationId: 'explain', summary: 'Explains what becomes of a request', description: DESCRIPTION })
  @ApiBody({ type: ExplainBody, examples: { key: { value: { attributes: { key_id: 'demo-free', endpoint: 'GET /v1/items/7' } } }, cost: { value: { attributes: { plan: 'free', key_id: 'k1' }, cost: 5, rules: ['free-default'] } } } })
  @ApiOkResponse({ type: ExplanationResource, description: 'What becomes of the request, and why.' })
  @ApiProblems(400, 401, 413, 415, 503)
  async explain(@Body() body: ExplainBody, @Res() reply: FastifyReply): Promise<void> {
    reply.code(200).header('cache-control', 'no-store').send(await this.explainer.explain(body));
  }
}
