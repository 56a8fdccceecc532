import { Body, Controller, Delete, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access } from '../access/access.decorator.js';
import { strongTag, versionTag } from '../conditional/entity-tag.js';
import { preconditionOf } from '../conditional/precondition.js';
import { type ResourceName, sendRemoval } from '../conditional/send-write.js';
import { ADMIN_TOKENS } from '../database/tables.js';
import { notFound } from '../input/not-found.js';
import { ApiConditionalRemoval, ApiProblems, ETAG_HEADER, LINK_HEADER, LOCATION_HEADER } from '../openapi/api-responses.js';
import { ListQuery } from '../paging/list-query.dto.js';
import { PageReader } from '../paging/page-reader.js';
import { nextLink } from '../paging/send-page.js';
import { NewTokenBody, TokenCreated, TokenNameParam, TokenPage, TokenResource } from './admin-token.dto.js';
import type { AdminTokenRow } from './admin-token.entity.js';
import { adminTokenJson } from './admin-token-json.js';
import { AdminTokensService } from './admin-tokens.service.js';

const TOKEN: ResourceName = { kind: 'Token', idField: 'name', path: '/v1/tokens' };

/** `last_used_at` changes without a version, so that no answer of these may stand for a later one: they are never 304 and in no cache. */
const NO_STORE = { 'cache-control': 'no-store' } as const;

/** Tokens are issued and revoked, not changed. A double submit is no harm: the second is a 409, and the token of the first, if its answer was lost, can be revoked by name; another is then issued under another name. */
@ApiTags('tokens')
@Controller('v1/tokens')
export class AdminTokensController {
  constructor(
    private readonly tokens: AdminTokensService,
    private readonly pages: PageReader,
  ) {}

  @Access('admin')
  @Get()
  @ApiOperation({ operationId: 'listTokens', summary: 'Lists tokens', description: 'Without their texts, which are not kept, and without those of the environment.' })
  @ApiOkResponse({ type: TokenPage, description: 'One page.', headers: LINK_HEADER })
  @ApiProblems(400, 401, 503)
  async list(@Query() query: ListQuery, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const page = await this.pages.read({ name: 'tokens', table: ADMIN_TOKENS, query, filters: [], isHeld: () => false });
    if (page.status !== 'page') throw new Error('A page that nobody holds was taken for held.');
    const { rows, nextCursor, version } = page;
    reply
      .headers({ ...NO_STORE, ...(nextCursor === null ? {} : { link: nextLink(request, nextCursor) }) })
      .send({ tokens: rows.map(tokenJson), next_cursor: nextCursor, version });
  }

  @Access('admin')
  @Post()
  @ApiOperation({ operationId: 'createToken', summary: 'Issues a token', description: 'The answer is the only place where it is shown. It is good at once on the replica that answers, and on every other one when it is shown there first, or within a second where too many wrong tokens came from the same address.' })
  @ApiCreatedResponse({ type: TokenCreated, description: 'Created.', headers: { ...ETAG_HEADER, ...LOCATION_HEADER } })
  @ApiProblems(400, 401, 409, 413, 415, 503)
  async create(@Body() body: NewTokenBody, @Res() reply: FastifyReply): Promise<void> {
    const { row, token } = await this.tokens.create(body);
    reply
      .code(201)
      .headers({ ...NO_STORE, etag: strongTag(versionTag(row.version)), location: `${TOKEN.path}/${row.id}` })
      .send({ name: row.id, role: row.role, tenant_id: row.tenantId, token, expires_at: row.expiresAt?.toISOString() ?? null, version: row.version });
  }

  @Access('admin')
  @Get(':name')
  @ApiOperation({ operationId: 'getToken', summary: 'Shows a token', description: 'Without its text. The tag is that of its version, for If-Match, and stays the same when `last_used_at` changes.' })
  @ApiOkResponse({ type: TokenResource, description: 'As it is now.', headers: ETAG_HEADER })
  @ApiProblems(400, 401, 404, 503)
  async get(@Param() { name }: TokenNameParam, @Res() reply: FastifyReply): Promise<void> {
    const row = await this.tokens.find(name);
    if (row === null) throw notFound(`Token ${name}`);
    reply.headers({ ...NO_STORE, etag: strongTag(versionTag(row.version)) }).send(tokenJson(row));
  }

  @Access('admin')
  @Delete(':name')
  @ApiOperation({ operationId: 'revokeToken', summary: 'Revokes a token', description: 'It opens nothing any more: at once on the replica that answers, within 5 s on all.' })
  @ApiConditionalRemoval()
  async remove(@Param() { name }: TokenNameParam, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendRemoval(reply, await this.tokens.remove(name, preconditionOf(request.headers)), TOKEN, name);
  }
}

function tokenJson(row: AdminTokenRow): object {
  return { ...adminTokenJson(row), last_used_at: row.lastUsedAt?.toISOString() ?? null };
}
