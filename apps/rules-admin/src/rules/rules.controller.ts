import { Body, Controller, Delete, Get, Param, Put, Query, Req, Res } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access } from '../access/access.decorator.js';
import { preconditionOf } from '../conditional/precondition.js';
import { isHeldByCaller } from '../conditional/send-validated.js';
import { type ResourceName, sendRemoval, sendResource, sendWrite } from '../conditional/send-write.js';
import { RULES } from '../database/tables.js';
import { notFound } from '../input/not-found.js';
import { ApiConditionalRead, ApiConditionalRemoval, ApiConditionalWrite, ApiPage, ETAG_HEADER } from '../openapi/api-responses.js';
import { PageReader } from '../paging/page-reader.js';
import { sendPage } from '../paging/send-page.js';
import { RuleBody, RuleIdParam, RulePage, RuleRemovalQuery, RuleResource, RulesQuery, RuleWritten } from './rule.dto.js';
import { ruleJson } from './rule-json.js';
import { RulesService } from './rules.service.js';

const RULE: ResourceName = { kind: 'Rule', idField: 'rule_id', path: '/v1/rules' };

const PUT_DESCRIPTION = [
  '409 `rule-conflict` when another rule matches exactly the same, in the same policy (`conflicting_rule_id`): which of the two applied would be an accident of their ids.',
  '409 `in-use` when the rule has live overrides with a burst that it would not take.',
  'A rule in shadow conflicts with none: it is evaluated where it would decide if it were enforced, and in the place of one that matches exactly the same. To try another version of a rule, propose it at `/proposal`. A rule that is off takes no part.',
  '',
  'The answer has `warnings` when the rule can never apply, or when it now hides another one.',
].join('\n');

@ApiTags('rules')
@Controller('v1/rules')
export class RulesController {
  constructor(
    private readonly rules: RulesService,
    private readonly pages: PageReader,
  ) {}

  @Access('viewer')
  @Get()
  @ApiOperation({ operationId: 'listRules', summary: 'Lists rules', description: 'By id. Every page is as of one commit; what exists throughout is listed once, whatever is written meanwhile.' })
  @ApiPage(RulePage)
  async list(@Query() query: RulesQuery, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const filters = query.plan === undefined ? [] : [{ property: 'plan', value: query.plan }];
    const page = await this.pages.read({ name: 'rules', table: RULES, query, filters, isHeld: (tag) => isHeldByCaller(request, tag) });
    sendPage(request, reply, page, 'rules', ruleJson);
  }

  @Access('viewer')
  @Get(':rule_id')
  @ApiOperation({ operationId: 'getRule', summary: 'Shows a rule' })
  @ApiOkResponse({ type: RuleResource, description: 'As it is now.', headers: ETAG_HEADER })
  @ApiConditionalRead()
  async get(@Param() { rule_id }: RuleIdParam, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const row = await this.rules.find(rule_id);
    if (row === null) throw notFound(`Rule ${rule_id}`);
    sendResource(request, reply, row, ruleJson(row));
  }

  @Access('editor')
  @Put(':rule_id')
  @ApiOperation({ operationId: 'putRule', summary: 'Creates or replaces a rule', description: PUT_DESCRIPTION })
  @ApiBody({ type: RuleBody, examples: { simple: { value: { plan: 'free', endpoint: '*', limit: 20, window_seconds: 1 } } } })
  @ApiConditionalWrite(RuleWritten, 409)
  async put(@Param() { rule_id }: RuleIdParam, @Body() body: Record<string, unknown>, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { outcome, warnings } = await this.rules.put(rule_id, body, preconditionOf(request.headers));
    sendWrite(reply, outcome, RULE, rule_id, warnings.length === 0 ? {} : { warnings });
  }

  @Access('editor')
  @Delete(':rule_id')
  @ApiOperation({ operationId: 'deleteRule', summary: 'Deletes a rule', description: '409 while there are live overrides of it, unless they are to go along. A proposal of it goes with it.' })
  @ApiConditionalRemoval(409)
  async remove(@Param() { rule_id }: RuleIdParam, @Query() { overrides }: RuleRemovalQuery, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendRemoval(reply, await this.rules.remove(rule_id, preconditionOf(request.headers), overrides === 'delete'), RULE, rule_id);
  }
}
