import { Body, Controller, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access } from '../access/access.decorator.js';
import { preconditionOf } from '../conditional/precondition.js';
import { sendWrite } from '../conditional/send-write.js';
import { ApiConditionalWrite } from '../openapi/api-responses.js';
import { RuleIdParam, RuleWritten } from '../rules/rule.dto.js';
import { RollbackBody } from './rollback.dto.js';
import { RollbackService } from './rollback.service.js';

const DESCRIPTION = [
  'The content of that version becomes a new one; nothing is taken out of the history. It is checked and reviewed as a PUT is: 400 when it names a plan that is gone, 409 when another rule matches the same by now.',
  'A rule that was deleted comes back with `If-None-Match: *`.',
].join('\n\n');

@ApiTags('rules')
@Controller('v1/rules')
export class RollbackController {
  constructor(private readonly rollbacks: RollbackService) {}

  // The router takes one colon for a parameter and two for a colon; the parameter ends before it.
  @Access('editor')
  @Post(':rule_id(^[^/:]+)::rollback')
  @HttpCode(200)
  @ApiOperation({ operationId: 'rollbackRule', summary: 'Goes back to an earlier version of a rule', description: DESCRIPTION })
  @ApiBody({ type: RollbackBody, examples: { third: { value: { version: 3 } } } })
  @ApiConditionalWrite(RuleWritten, 404, 409)
  async rollBack(@Param() { rule_id }: RuleIdParam, @Body() { version }: RollbackBody, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { outcome, warnings } = await this.rollbacks.rollBack(rule_id, version, preconditionOf(request.headers));
    sendWrite(reply, outcome, { kind: 'Rule', idField: 'rule_id', path: '/v1/rules' }, rule_id, warnings.length === 0 ? {} : { warnings });
  }
}
