import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access } from '../access/access.decorator.js';
import { sendAnswer } from '../idempotency/answer.js';
import { ApiIdempotencyKey, REPLAYED_HEADER } from '../idempotency/api-idempotency-key.js';
import { submissionOf } from '../idempotency/submission.js';
import { ApiProblems } from '../openapi/api-responses.js';
import { applyRequest } from './apply-request.js';
import { ApplyRulesBody, RulesApplied } from './apply-rules.dto.js';
import { ApplyRulesService } from './apply-rules.service.js';

const DESCRIPTION = [
  'The body has all rules as they shall be: others are deleted, changed ones get their next version, the same ones keep theirs. All of it happens in one version, or nothing.',
  'A rule that was changed after `base_version` makes it a 412. The set is validated as a whole: each rule, and that no two match the same in one policy; 400 points at each fault. Live overrides of a rule that would go are a 409.',
  'What `GET /v1/rules` lists can be sent as it is (all pages, with the `version` of the page as `base_version`): the `version` of a rule in the set is not looked at. So can a set of an earlier day, or of another place, with the `base_version` of now here. There is no option to delete overrides along: delete such a rule by `DELETE /v1/rules/{rule_id}?overrides=delete` first.',
  'With `dry_run` all is checked the same and nothing is changed.',
].join('\n\n');

const EXAMPLE = { base_version: 17, dry_run: true, rules: [{ rule_id: 'free-default', plan: 'free', limit: 20, window_seconds: 1 }] };

@ApiTags('rules')
@Controller('v1')
export class BulkController {
  constructor(private readonly sets: ApplyRulesService) {}

  // See APPLY_ROUTE.
  @Access('editor')
  @Post('rules::apply')
  @HttpCode(200)
  @ApiOperation({ operationId: 'applyRules', summary: 'Replaces all rules by a set', description: DESCRIPTION })
  @ApiBody({ type: ApplyRulesBody, examples: { dryRun: { value: EXAMPLE } } })
  @ApiOkResponse({ type: RulesApplied, description: 'Applied; or, with `dry_run`, what would be.', headers: REPLAYED_HEADER })
  @ApiProblems(400, 401, 412, 413, 415, 503)
  @ApiIdempotencyKey({ required: false, conflict: 'Or another resource stands in the way (`in-use`). Nothing was changed.' })
  async apply(@Body() body: Record<string, unknown>, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendAnswer(reply, await this.sets.apply(applyRequest(body), submissionOf(request)));
  }
}
