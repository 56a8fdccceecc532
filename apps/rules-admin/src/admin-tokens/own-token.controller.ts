import { Controller, Get, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Access } from '../access/access.decorator.js';
import { currentPrincipal } from '../access/acting.js';
import { ApiProblems } from '../openapi/api-responses.js';
import { OwnToken } from './admin-token.dto.js';

const DESCRIPTION =
  'For every valid token, whichever role it has and wherever it comes from: issued, of the environment, a JWT. Other services ask here whom they serve; the answer is good for as long as they may serve one who was revoked.';

/** Who one is. The answer comes from what the door knew, without a query. */
@ApiTags('tokens')
@Controller('v1')
export class OwnTokenController {
  @Access('viewer', 'node', 'tenant')
  @Get('tokens::self')
  @ApiOperation({ operationId: 'getOwnToken', summary: 'Says who the caller is', description: DESCRIPTION })
  @ApiOkResponse({ type: OwnToken, description: 'The token of this request.' })
  @ApiProblems(401, 503)
  self(@Res() reply: FastifyReply): void {
    const principal = currentPrincipal();
    if (principal === undefined) throw new Error('A request without a principal came through the door.');
    const { actor, role, tenantId = null, expiresAt = null } = principal;
    reply.header('cache-control', 'no-store').send({ actor, role, tenant_id: tenantId, expires_at: expiresAt?.toISOString() ?? null } satisfies OwnToken);
  }
}
