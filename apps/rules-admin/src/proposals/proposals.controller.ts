import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Req, Res } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access } from '../access/access.decorator.js';
import { preconditionOf } from '../conditional/precondition.js';
import { type ResourceName, sendRemoval, sendResource, sendWrite } from '../conditional/send-write.js';
import { notFound } from '../input/not-found.js';
import { ApiConditionalChange, ApiConditionalRead, ApiConditionalRemoval, ApiConditionalWrite, ApiProblems, ETAG_HEADER } from '../openapi/api-responses.js';
import { RuleBody, RuleIdParam, RuleWritten } from '../rules/rule.dto.js';
import type { RuleWrite } from '../rules/put-rule.js';
import { proposalJson } from './proposal-json.js';
import { ProposalResource, ProposalWritten } from './proposal.dto.js';
import { ProposalsService } from './proposals.service.js';

const PROPOSAL: ResourceName = { kind: 'The proposal of rule', idField: 'rule_id', path: '/v1/rules', below: '/proposal' };
const RULE: ResourceName = { kind: 'Rule', idField: 'rule_id', path: '/v1/rules' };

const PUT_DESCRIPTION = [
  'Nodes evaluate it beside the version in force, and enforce nothing of it; `shadow-report` says what it would have refused. It is checked and reviewed as a PUT of the rule is. Overrides of the rule are of the proposal too.',
  'Put it again, also unchanged, once the rule has changed: `base_version` is then the version of now.',
].join('\n\n');

@ApiTags('staging')
@Controller('v1/rules')
export class ProposalsController {
  constructor(private readonly proposals: ProposalsService) {}

  @Access('viewer')
  @Get(':rule_id/proposal')
  @ApiOperation({ operationId: 'getProposal', summary: 'Shows what a rule is proposed to become' })
  @ApiOkResponse({ type: ProposalResource, description: 'The proposal.', headers: ETAG_HEADER })
  @ApiConditionalRead()
  async get(@Param() { rule_id }: RuleIdParam, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const row = await this.proposals.find(rule_id);
    if (row === null) throw notFound(`A proposal of rule ${rule_id}`);
    sendResource(request, reply, row, proposalJson(row));
  }

  @Access('editor')
  @Put(':rule_id/proposal')
  @ApiOperation({ operationId: 'putProposal', summary: 'Proposes what a rule shall become', description: PUT_DESCRIPTION })
  @ApiBody({ type: RuleBody, examples: { lower: { value: { plan: 'free', endpoint: '*', limit: 10, window_seconds: 1 } } } })
  @ApiConditionalWrite(ProposalWritten, 404, 409)
  async put(@Param() { rule_id }: RuleIdParam, @Body() body: Record<string, unknown>, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { outcome, warnings } = await this.proposals.put(rule_id, body, preconditionOf(request.headers));
    const base = outcome.status === 'refused' ? {} : { base_version: outcome.row.baseVersion };
    sendWrite(reply, outcome, PROPOSAL, rule_id, { ...base, ...(warnings.length === 0 ? {} : { warnings }) });
  }

  @Access('editor')
  @Delete(':rule_id/proposal')
  @ApiOperation({ operationId: 'discardProposal', summary: 'Discards a proposal', description: 'The rule stays as it is. A proposal also goes when its rule is deleted.' })
  @ApiConditionalRemoval()
  async remove(@Param() { rule_id }: RuleIdParam, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendRemoval(reply, await this.proposals.remove(rule_id, preconditionOf(request.headers)), PROPOSAL, rule_id);
  }

  @Access('editor')
  @Post(':rule_id/proposal::promote')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'promoteProposal',
    summary: 'Puts a proposal in force',
    description: 'If-Match names the version of the proposal. The rule gets its content as its next version and the proposal is gone, in one version. 409 `rule-changed` when the rule is not at `base_version` any more.',
  })
  @ApiConditionalChange(RuleWritten)
  @ApiProblems(409)
  async promote(@Param() { rule_id }: RuleIdParam, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendPromoted(reply, await this.proposals.promote(rule_id, preconditionOf(request.headers)), PROPOSAL, rule_id);
  }

  // The router takes one colon for a parameter and two for a colon; the parameter ends before it.
  @Access('editor')
  @Post(':rule_id(^[^/:]+)::promote')
  @HttpCode(200)
  @ApiOperation({ operationId: 'promoteRule', summary: 'Enforces a rule that is in shadow', description: 'Its counters go on. 409 `not-in-shadow` for any other rule, and `rule-conflict` beside one in force that matches exactly the same: propose that one to be changed instead.' })
  @ApiConditionalChange(RuleWritten)
  @ApiProblems(409)
  async promoteRule(@Param() { rule_id }: RuleIdParam, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendPromoted(reply, await this.proposals.promoteShadow(rule_id, preconditionOf(request.headers)), RULE, rule_id);
  }
}

/** @param precondition what If-Match was about */
function sendPromoted(reply: FastifyReply, { outcome, warnings }: RuleWrite, precondition: ResourceName, ruleId: string): void {
  sendWrite(reply, outcome, outcome.status === 'refused' ? precondition : RULE, ruleId, warnings.length === 0 ? {} : { warnings });
}
