import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access } from '../access/access.decorator.js';
import { isHeldByCaller } from '../conditional/send-validated.js';
import { ApiPage } from '../openapi/api-responses.js';
import { sendPage } from '../paging/send-page.js';
import { auditEntryJson } from './audit-entry-json.js';
import { AuditPage } from './audit-entry.dto.js';
import { AuditQuery } from './audit-query.dto.js';
import { LogReader } from './log-reader.js';

@ApiTags('audit')
@Controller('v1/audit')
export class AuditController {
  constructor(private readonly log: LogReader) {}

  @Access('viewer')
  @Get()
  @ApiOperation({ operationId: 'listAudit', summary: 'Lists changes: who changed what, when, from what to what', description: 'The newest first. The log is append-only.' })
  @ApiPage(AuditPage)
  async list(@Query() query: AuditQuery, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { limit: _limit, cursor: _cursor, ...filter } = query;
    const page = await this.log.read({ name: 'audit', filter, query, isHeld: (tag) => isHeldByCaller(request, tag) });
    sendPage(request, reply, page, 'entries', auditEntryJson);
  }
}
