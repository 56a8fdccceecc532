import { Controller, Get, Param, Query, Req, Res, type Type } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access } from '../access/access.decorator.js';
import { auditEntryJson } from '../audit/audit-entry-json.js';
import { AuditPage } from '../audit/audit-entry.dto.js';
import { LogReader } from '../audit/log-reader.js';
import { versionTag } from '../conditional/entity-tag.js';
import { isHeldByCaller, sendNotModified, sendState } from '../conditional/send-validated.js';
import { ConfigReader } from '../database/config-reader.js';
import type { VersionedRow } from '../database/versioned-row.js';
import type { VersionedTable } from '../database/versioned-table.js';
import { ID_PATTERN } from '../input/is-id.js';
import { invalid } from '../input/invalid.js';
import { notFound } from '../input/not-found.js';
import { ApiConditionalRead, ApiProblems, ETAG_HEADER, ApiPage } from '../openapi/api-responses.js';
import { ListQuery } from '../paging/list-query.dto.js';
import { sendPage } from '../paging/send-page.js';
import { HistoryService } from './history.service.js';

/** A kind of resource whose versions are shown. */
export interface HistoryOf {
  /** `rules`, as in `/v1/rules`. */
  readonly list: string;
  /** `Rule`. */
  readonly name: string;
  /** `rule_id`. */
  readonly idField: string;
  readonly table: Pick<VersionedTable<VersionedRow>, 'kind' | 'isKnown'>;
  /** How one of them looks. */
  readonly resource: Type;
}

/** The controller of `/v1/<list>/{id}/history`: the same for every kind (R60). */
export function historyController({ list, name, idField, table, resource }: HistoryOf): Type {
  const ID_PARAM = { name: idField, schema: { type: 'string', pattern: ID_PATTERN } } as const;

  @ApiTags(list)
  @Controller(`v1/${list}`)
  class HistoryController {
    constructor(
      private readonly log: LogReader,
      private readonly history: HistoryService,
      private readonly config: ConfigReader,
    ) {}

    @Access('viewer')
    @Get(`:${idField}/history`)
    @ApiOperation({ operationId: `list${name}Versions`, summary: `Lists the changes of a ${name.toLowerCase()}`, description: 'The newest first; also of one that was deleted.' })
    @ApiParam(ID_PARAM)
    @ApiPage(AuditPage)
    @ApiProblems(404)
    async list(@Param(idField) id: string, @Query() query: ListQuery, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
      assertId(idField, id);
      const page = await this.log.read({ name: 'history', filter: { kind: table.kind, id }, query, isHeld: (tag) => isHeldByCaller(request, tag) });
      const isEmpty = page.status === 'page' && page.rows.length === 0 && query.cursor === undefined;
      if (isEmpty && !(await table.isKnown(this.config.manager, id))) throw notFound(`${name} ${id}`);
      sendPage(request, reply, page, 'entries', auditEntryJson);
    }

    @Access('viewer')
    @Get(`:${idField}/history/:version`)
    @ApiOperation({ operationId: `get${name}Version`, summary: `Shows a ${name.toLowerCase()} as it was at a version` })
    @ApiParam(ID_PARAM)
    @ApiParam({ name: 'version', schema: { type: 'integer', format: 'int64', minimum: 1 } })
    @ApiOkResponse({ type: resource, description: 'As it is now.', headers: ETAG_HEADER })
    @ApiConditionalRead()
    async get(@Param(idField) id: string, @Param('version') version: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
      assertId(idField, id);
      if (!/^[1-9]\d{0,14}$/.test(version)) throw invalid([{ pointer: '/path/version', detail: 'must be a version of the resource' }]);
      const found = await this.history.atVersion(table.kind, id, Number(version));
      if (found === undefined) throw notFound(`Version ${version} of ${name.toLowerCase()} ${id}`);
      const tag = versionTag(Number(version));
      if (isHeldByCaller(request, tag)) sendNotModified(reply, tag);
      else sendState(reply, tag, found);
    }
  }
  return HistoryController;
}

const ID = new RegExp(ID_PATTERN);

function assertId(idField: string, id: string): void {
  if (!ID.test(id)) throw invalid([{ pointer: `/path/${idField}`, detail: 'must be an id' }]);
}
