import { Body, Controller, Delete, Get, Param, Put, Query, Req, Res } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access } from '../access/access.decorator.js';
import { preconditionOf } from '../conditional/precondition.js';
import { isHeldByCaller } from '../conditional/send-validated.js';
import { type ResourceName, sendRemoval, sendResource, sendWrite } from '../conditional/send-write.js';
import { PLANS } from '../database/tables.js';
import { notFound } from '../input/not-found.js';
import { ApiConditionalRead, ApiConditionalRemoval, ApiConditionalWrite, ApiPage, ETAG_HEADER } from '../openapi/api-responses.js';
import { ListQuery } from '../paging/list-query.dto.js';
import { PageReader } from '../paging/page-reader.js';
import { sendPage } from '../paging/send-page.js';
import { PlanBody, PlanIdParam, PlanPage, PlanResource, PlanWritten } from './plan.dto.js';
import { planJson } from './plan-json.js';
import { PlansService } from './plans.service.js';

const PLAN: ResourceName = { kind: 'Plan', idField: 'plan_id', path: '/v1/plans' };

@ApiTags('plans')
@Controller('v1/plans')
export class PlansController {
  constructor(
    private readonly plans: PlansService,
    private readonly pages: PageReader,
  ) {}

  @Access('viewer')
  @Get()
  @ApiOperation({ operationId: 'listPlans', summary: 'Lists plans' })
  @ApiPage(PlanPage)
  async list(@Query() query: ListQuery, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const page = await this.pages.read({ name: 'plans', table: PLANS, query, filters: [], isHeld: (tag) => isHeldByCaller(request, tag) });
    sendPage(request, reply, page, 'plans', planJson);
  }

  @Access('viewer')
  @Get(':plan_id')
  @ApiOperation({ operationId: 'getPlan', summary: 'Shows a plan' })
  @ApiOkResponse({ type: PlanResource, description: 'As it is now.', headers: ETAG_HEADER })
  @ApiConditionalRead()
  async get(@Param() { plan_id }: PlanIdParam, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const row = await this.plans.find(plan_id);
    if (row === null) throw notFound(`Plan ${plan_id}`);
    sendResource(request, reply, row, planJson(row));
  }

  @Access('editor')
  @Put(':plan_id')
  @ApiOperation({ operationId: 'putPlan', summary: 'Creates or replaces a plan', description: '409 when its default limit has live overrides that would not fit the new one.' })
  @ApiBody({ type: PlanBody, examples: { free: { value: { name: 'Free', default_limit: { limit: 5, window_seconds: 1 } } } } })
  @ApiConditionalWrite(PlanWritten, 409)
  async put(@Param() { plan_id }: PlanIdParam, @Body() body: PlanBody, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendWrite(reply, await this.plans.put(plan_id, body, preconditionOf(request.headers)), PLAN, plan_id);
  }

  @Access('editor')
  @Delete(':plan_id')
  @ApiOperation({ operationId: 'deletePlan', summary: 'Deletes a plan', description: '409 while tenants or rules are on it, or live overrides of its default limit.' })
  @ApiConditionalRemoval(409)
  async remove(@Param() { plan_id }: PlanIdParam, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendRemoval(reply, await this.plans.remove(plan_id, preconditionOf(request.headers)), PLAN, plan_id);
  }
}
