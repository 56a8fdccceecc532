import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseEntityTags } from '../conditional/entity-tag.js';
import { isHeldByCaller, sendNotModified, sendState } from '../conditional/send-validated.js';
import { ApiConditionalRead, ETAG_HEADER } from '../openapi/api-responses.js';
import { SnapshotDeltaResource, SnapshotQuery, SnapshotResource } from './snapshot.dto.js';
import { snapshotTag } from './snapshot-state.js';
import { SnapshotService } from './snapshot.service.js';

const HEADERS = {
  ...ETAG_HEADER,
  'Sluice-Epoch': { description: 'This life of the database; versions of another one mean something else.', schema: { type: 'string' as const } },
  'Sluice-Checksum': { description: 'Hash of the whole snapshot at this version, also when the body holds changes only.', schema: { type: 'string' as const } },
  'Sluice-Snapshot': { description: 'What the body is.', schema: { type: 'string' as const, enum: ['whole', 'delta'] } },
};

@ApiTags('snapshot')
@Controller('v1/snapshot')
export class SnapshotController {
  constructor(private readonly snapshots: SnapshotService) {}

  @Get()
  @ApiOperation({
    operationId: 'getSnapshot',
    summary: 'What a node needs in order to decide',
    description: 'Whole, or with `since` the changes where they are less than the whole. A body with `since` holds changes. The caller checks what they add up to against Sluice-Checksum.',
  })
  @ApiExtraModels(SnapshotResource, SnapshotDeltaResource)
  @ApiOkResponse({ headers: HEADERS, content: { 'application/json': { schema: { anyOf: [{ $ref: getSchemaPath(SnapshotResource) }, { $ref: getSchemaPath(SnapshotDeltaResource) }] } } } })
  @ApiConditionalRead(400, 401, 503)
  async get(@Query() { since }: SnapshotQuery, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const current = await this.snapshots.current();
    const tag = snapshotTag(current);
    if (isHeldByCaller(request, tag)) {
      sendNotModified(reply, tag, { 'sluice-epoch': current.epoch });
      return;
    }
    const state = await this.snapshots.stateAt(current);
    const delta = since === undefined || isOfAnotherLife(request, state.epoch) ? undefined : state.deltaSince(Number(since));
    const headers = { 'sluice-epoch': state.epoch, 'sluice-checksum': state.checksum, 'sluice-snapshot': delta === undefined ? 'whole' : 'delta' };
    sendState(reply, state.tag, delta ?? state.whole, headers);
  }
}

/** Whether the caller's tags show that its version comes from another database, or from before a backup was restored. */
function isOfAnotherLife(request: FastifyRequest, epoch: string): boolean {
  const tags = parseEntityTags(request.headers['if-none-match'] ?? '');
  return tags !== undefined && tags !== '*' && tags.every(({ opaque }) => !opaque.endsWith(`-${epoch}`));
}
