import { Body, Controller, Delete, Get, Param, Patch, Post, Query, Req, Res } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access } from '../access/access.decorator.js';
import { preconditionOf } from '../conditional/precondition.js';
import { isHeldByCaller } from '../conditional/send-validated.js';
import { type ResourceName, sendRemoval, sendResource, sendWrite } from '../conditional/send-write.js';
import { OVERRIDES } from '../database/tables.js';
import { sendAnswer } from '../idempotency/answer.js';
import { ApiIdempotencyKey, REPLAYED_HEADER } from '../idempotency/api-idempotency-key.js';
import { requiredSubmissionOf } from '../idempotency/submission.js';
import { notFound } from '../input/not-found.js';
import { ApiConditionalChange, ApiConditionalRead, ApiConditionalRemoval, ApiPage, ApiProblems, ETAG_HEADER, LOCATION_HEADER } from '../openapi/api-responses.js';
import { PageReader } from '../paging/page-reader.js';
import { sendPage } from '../paging/send-page.js';
import { liveFilter } from './live-filter.js';
import { NewOverrideBody, OverrideDetail, OverrideIdParam, OverridePage, OverridePatchBody, OverridesQuery, OverrideWritten } from './override.dto.js';
import { overrideJson } from './override-json.js';
import { OverridesService } from './overrides.service.js';

const OVERRIDE: ResourceName = { kind: 'Override', idField: 'override_id', path: '/v1/overrides' };

const CREATE_DESCRIPTION = [
  'Gives one key another limit of one rule, until `expires_at`; then it is over by itself, everywhere. Of several live ones for the same rule and key the one that expires first applies (of those that expire at once the one with the smaller limit, then the smaller id): what is temporary goes over what is longer, and the longer one is back afterwards.',
  '',
  'An override goes before every other rule of the policy: for its key, and wherever its rule matches, a more specific rule of that policy does not hold while it lives, such as one for a single endpoint beside an override of a limit for the whole plan. Rules of other policies hold as ever.',
  '',
  'The same request under the same `Idempotency-Key` gets the first answer again (`Idempotency-Replayed: true`) and creates nothing, from whichever process and after whatever crash; another body under it is a 422, and 409 says that the first one is still being carried out. A request that failed changed nothing, and may be corrected and sent again under its key.',
  '',
  'The answer has `warnings` when the override does less, or more, than one may think: it names the more specific rules that are switched off so, and another override that goes first.',
].join('\n');

const EXAMPLE = { key_id: 'demo-free', rule_id: 'free-default', limit: 500, expires_at: '2027-01-31T12:00:00Z', reason: 'Launch week' };

@ApiTags('overrides')
@Controller('v1/overrides')
export class OverridesController {
  constructor(
    private readonly overrides: OverridesService,
    private readonly pages: PageReader,
  ) {}

  @Access('editor')
  @Post()
  @ApiOperation({ operationId: 'createOverride', summary: 'Creates an override', description: CREATE_DESCRIPTION })
  @ApiBody({ type: NewOverrideBody, examples: { launch: { value: EXAMPLE } } })
  @ApiCreatedResponse({ type: OverrideWritten, description: 'Created; or it was before, by a request with this Idempotency-Key.', headers: { ...ETAG_HEADER, ...LOCATION_HEADER, ...REPLAYED_HEADER } })
  @ApiIdempotencyKey({ required: true })
  @ApiProblems(400, 401, 413, 415, 503)
  async create(@Body() body: NewOverrideBody, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendAnswer(reply, await this.overrides.create(body, requiredSubmissionOf(request)));
  }

  @Access('viewer')
  @Get()
  @ApiOperation({ operationId: 'listOverrides', summary: 'Lists overrides', description: 'By id. An expired one is listed for about an hour, until it is removed.' })
  @ApiPage(OverridePage)
  async list(@Query() query: OverridesQuery, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { key_id: keyId, rule_id: ruleId, live } = query;
    const filters = [{ property: 'keyId', value: keyId }, { property: 'ruleId', value: ruleId }].flatMap(({ property, value }) => (value === undefined ? [] : [{ property, value }]));
    const timed = live && liveFilter(live);
    const page = await this.pages.read({ name: 'overrides', table: OVERRIDES, query, filters, timed, isHeld: (tag) => isHeldByCaller(request, tag) });
    sendPage(request, reply, page, 'overrides', overrideJson);
  }

  @Access('viewer')
  @Get(':override_id')
  @ApiOperation({ operationId: 'getOverride', summary: 'Shows an override' })
  @ApiOkResponse({ type: OverrideDetail, description: 'As it is now.', headers: ETAG_HEADER })
  @ApiConditionalRead()
  async get(@Param() { override_id }: OverrideIdParam, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const row = await this.overrides.find(override_id);
    if (row === null) throw notFound(`Override ${override_id}`);
    sendResource(request, reply, row, overrideJson(row));
  }

  @Access('editor')
  @Patch(':override_id')
  @ApiOperation({ operationId: 'patchOverride', summary: 'Changes limit, expiry or reason of an override', description: 'Key and rule stay: for others create another one. One that has expired may be extended as long as it is there.' })
  @ApiConditionalChange(OverrideWritten)
  async patch(@Param() { override_id }: OverrideIdParam, @Body() body: OverridePatchBody, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { outcome, remarks } = await this.overrides.patch(override_id, body, preconditionOf(request.headers));
    sendWrite(reply, outcome, OVERRIDE, override_id, remarks.length === 0 ? {} : { warnings: remarks });
  }

  @Access('editor')
  @Delete(':override_id')
  @ApiOperation({ operationId: 'deleteOverride', summary: 'Ends an override now', description: 'The key has the limit of the rule again.' })
  @ApiConditionalRemoval()
  async remove(@Param() { override_id }: OverrideIdParam, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendRemoval(reply, await this.overrides.remove(override_id, preconditionOf(request.headers)), OVERRIDE, override_id);
  }
}
