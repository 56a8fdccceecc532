import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, Req, Res } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { ProblemException } from '@sluice/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access } from '../access/access.decorator.js';
import { strongTag, versionTag } from '../conditional/entity-tag.js';
import { preconditionOf } from '../conditional/precondition.js';
import { refusalProblem } from '../conditional/refusal-problem.js';
import { isHeldByCaller } from '../conditional/send-validated.js';
import { type ResourceName, sendRemoval, sendResource, sendWrite } from '../conditional/send-write.js';
import { KEYS } from '../database/tables.js';
import { ID_PATTERN } from '../input/is-id.js';
import { notFound } from '../input/not-found.js';
import { ApiConditionalChange, ApiConditionalRead, ApiConditionalRemoval, ApiPage, ApiProblems, ETAG_HEADER } from '../openapi/api-responses.js';
import { PageReader } from '../paging/page-reader.js';
import { sendPage } from '../paging/send-page.js';
import { KeyCreated, KeyIdentity, KeyIdParam, KeyLookupBody, KeyPage, KeyPatchBody, KeyResource, KeyRotated, KeyRotationBody, KeysQuery, KeyWritten, NewKeyBody } from './key.dto.js';
import { keyJson } from './key-json.js';
import { KeysService } from './keys.service.js';

const KEY: ResourceName = { kind: 'Key', idField: 'key_id', path: '/v1/keys' };

@ApiTags('keys')
@Controller('v1')
export class KeysController {
  constructor(
    private readonly keys: KeysService,
    private readonly pages: PageReader,
  ) {}

  @Access('viewer')
  @Get('keys')
  @ApiOperation({ operationId: 'listKeys', summary: 'Lists keys', description: 'Without secrets, which are not kept.' })
  @ApiPage(KeyPage)
  async list(@Query() query: KeysQuery, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const filters = query.tenant_id === undefined ? [] : [{ property: 'tenantId', value: query.tenant_id }];
    const page = await this.pages.read({ name: 'keys', table: KEYS, query, filters, isHeld: (tag) => isHeldByCaller(request, tag) });
    sendPage(request, reply, page, 'keys', keyJson);
  }

  @Access('editor')
  @Post('keys')
  @ApiOperation({ operationId: 'createKey', summary: 'Creates a key', description: 'The answer is the only place where its secret is shown.' })
  @ApiCreatedResponse({ type: KeyCreated, description: 'Created.', headers: ETAG_HEADER })
  @ApiProblems(400, 401, 409, 413, 415, 503)
  async create(@Body() body: NewKeyBody, @Res() reply: FastifyReply): Promise<void> {
    const { row, secret } = await this.keys.create(body);
    reply
      .code(201)
      .headers({ etag: strongTag(versionTag(row.version)), location: `${KEY.path}/${row.id}`, 'cache-control': 'no-store' })
      .send({ key_id: row.id, secret, version: row.version });
  }

  // The router takes one colon for a parameter and two for a colon.
  @Access('node', 'admin')
  @Post('keys::lookup')
  @HttpCode(200)
  @ApiOperation({ operationId: 'lookupKey', summary: 'Tells whose a key is', description: 'For gateways: they send the hash of the key that a caller presented, so that the secret stays with them (ADR 0005).' })
  @ApiOkResponse({ type: KeyIdentity, description: 'Whose it is.' })
  @ApiProblems(400, 401, 404, 413, 415, 503)
  async lookup(@Body() { key_hash }: KeyLookupBody, @Res() reply: FastifyReply): Promise<void> {
    const identity = await this.keys.lookup(key_hash);
    if (identity === undefined) throw notFound('A key with this hash');
    reply.code(200).header('cache-control', 'no-store').send(identity);
  }

  @Access('viewer')
  @Get('keys/:key_id')
  @ApiOperation({ operationId: 'getKey', summary: 'Shows a key' })
  @ApiOkResponse({ type: KeyResource, description: 'As it is now.', headers: ETAG_HEADER })
  @ApiConditionalRead()
  async get(@Param() { key_id }: KeyIdParam, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const row = await this.keys.find(key_id);
    if (row === null) throw notFound(`Key ${key_id}`);
    sendResource(request, reply, row, keyJson(row));
  }

  @Access('editor')
  @Patch('keys/:key_id')
  @ApiOperation({ operationId: 'patchKey', summary: 'Renames, disables or enables a key' })
  @ApiBody({ type: KeyPatchBody, examples: { disable: { value: { disabled: true } }, rename: { value: { name: 'Production, Frankfurt' } } } })
  @ApiConditionalChange(KeyWritten)
  async patch(@Param() { key_id }: KeyIdParam, @Body() body: KeyPatchBody, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendWrite(reply, await this.keys.patch(key_id, body, preconditionOf(request.headers)), KEY, key_id);
  }

  @Access('editor')
  @Post('keys/:key_id(^[^:/]+)::rotate')
  @HttpCode(200)
  @ApiOperation({ operationId: 'rotateKey', summary: 'Gives a key a new secret', description: 'The answer is the only place where it is shown. The secret that it replaces stays good for `overlap_seconds`; one that an earlier rotation replaced ends at once.' })
  @ApiBody({ type: KeyRotationBody, examples: { day: { value: { overlap_seconds: 86_400 } }, leaked: { value: { overlap_seconds: 0 } } } })
  @ApiParam({ name: 'key_id', schema: { type: 'string', pattern: ID_PATTERN } })
  @ApiConditionalChange(KeyRotated)
  async rotate(@Param() { key_id }: KeyIdParam, @Body() { overlap_seconds }: KeyRotationBody, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const outcome = await this.keys.rotate(key_id, overlap_seconds, preconditionOf(request.headers));
    if (outcome.status === 'refused') throw new ProblemException(refusalProblem(outcome.refusal, `Key ${key_id}`));
    const { row, secret } = outcome;
    const until = row.previousExpiresAt === null ? {} : { previous_secret_until: row.previousExpiresAt.toISOString() };
    reply
      .code(200)
      .headers({ etag: strongTag(versionTag(row.version)), 'cache-control': 'no-store' })
      .send({ key_id: row.id, secret, ...until, version: row.version });
  }

  @Access('editor')
  @Delete('keys/:key_id')
  @ApiOperation({ operationId: 'deleteKey', summary: 'Deletes a key' })
  @ApiConditionalRemoval()
  async remove(@Param() { key_id }: KeyIdParam, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendRemoval(reply, await this.keys.remove(key_id, preconditionOf(request.headers)), KEY, key_id);
  }
}
