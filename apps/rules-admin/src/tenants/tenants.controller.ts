import { Body, Controller, Delete, Get, Param, Put, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access } from '../access/access.decorator.js';
import { preconditionOf } from '../conditional/precondition.js';
import { isHeldByCaller } from '../conditional/send-validated.js';
import { type ResourceName, sendRemoval, sendResource, sendWrite } from '../conditional/send-write.js';
import { TENANTS } from '../database/tables.js';
import { notFound } from '../input/not-found.js';
import { ApiConditionalRead, ApiConditionalRemoval, ApiConditionalWrite, ApiPage, ETAG_HEADER } from '../openapi/api-responses.js';
import { PageReader } from '../paging/page-reader.js';
import { sendPage } from '../paging/send-page.js';
import { TenantBody, TenantIdParam, TenantPage, TenantResource, TenantsQuery, TenantWritten } from './tenant.dto.js';
import { tenantJson } from './tenant-json.js';
import { TenantsService } from './tenants.service.js';

const TENANT: ResourceName = { kind: 'Tenant', idField: 'tenant_id', path: '/v1/tenants' };

@ApiTags('tenants')
@Controller('v1/tenants')
export class TenantsController {
  constructor(
    private readonly tenants: TenantsService,
    private readonly pages: PageReader,
  ) {}

  @Access('viewer')
  @Get()
  @ApiOperation({ operationId: 'listTenants', summary: 'Lists tenants' })
  @ApiPage(TenantPage)
  async list(@Query() query: TenantsQuery, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const filters = query.plan_id === undefined ? [] : [{ property: 'planId', value: query.plan_id }];
    const page = await this.pages.read({ name: 'tenants', table: TENANTS, query, filters, isHeld: (tag) => isHeldByCaller(request, tag) });
    sendPage(request, reply, page, 'tenants', tenantJson);
  }

  @Access('viewer')
  @Get(':tenant_id')
  @ApiOperation({ operationId: 'getTenant', summary: 'Shows a tenant' })
  @ApiOkResponse({ type: TenantResource, description: 'As it is now.', headers: ETAG_HEADER })
  @ApiConditionalRead()
  async get(@Param() { tenant_id }: TenantIdParam, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const row = await this.tenants.find(tenant_id);
    if (row === null) throw notFound(`Tenant ${tenant_id}`);
    sendResource(request, reply, row, tenantJson(row));
  }

  @Access('editor')
  @Put(':tenant_id')
  @ApiOperation({ operationId: 'putTenant', summary: 'Creates or replaces a tenant' })
  @ApiConditionalWrite(TenantWritten)
  async put(@Param() { tenant_id }: TenantIdParam, @Body() body: TenantBody, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendWrite(reply, await this.tenants.put(tenant_id, body, preconditionOf(request.headers)), TENANT, tenant_id);
  }

  @Access('editor')
  @Delete(':tenant_id')
  @ApiOperation({ operationId: 'deleteTenant', summary: 'Deletes a tenant', description: '409 while it has keys.' })
  @ApiConditionalRemoval(409)
  async remove(@Param() { tenant_id }: TenantIdParam, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendRemoval(reply, await this.tenants.remove(tenant_id, preconditionOf(request.headers)), TENANT, tenant_id);
  }
}
