import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiExtraModels, ApiHeader, ApiOkResponse, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access } from '../access/access.decorator.js';
import { sendState } from '../conditional/send-validated.js';
import { PastSnapshotAnswer } from '../history/past-snapshot-answer.js';
import { invalid } from '../input/invalid.js';
import { ApiConditionalRead } from '../openapi/api-responses.js';
import { answerHeld, VARY } from './answer-held.js';
import { SNAPSHOT_ACCESS } from './snapshot-access.js';
import { SNAPSHOT_HEADERS } from './snapshot-headers.js';
import { staleHeader } from './stale-header.js';
import { SnapshotDeltaResource, SnapshotQuery, SnapshotResource } from './snapshot.dto.js';
import { snapshotTag } from './snapshot-tag.js';
import { SnapshotService } from './snapshot.service.js';

@ApiTags('snapshot')
@Controller('v1/snapshot')
export class SnapshotController {
  constructor(
    private readonly snapshots: SnapshotService,
    private readonly past: PastSnapshotAnswer,
  ) {}

  /** {@link HeldSnapshotRoute} answers before this to whoever holds the version in force. */
  @Access(...SNAPSHOT_ACCESS)
  @Get()
  @ApiOperation({
    operationId: 'getSnapshot',
    summary: 'What a node needs in order to decide',
    description: [
      'Whole, or with `since` the changes where they are less than the whole. A body with `since` holds changes. The caller checks what they add up to against Sluice-Checksum.',
      'With `at` what was in force at that time, for people and tools: whole, to the byte as nodes had it then, with its version and checksum. 404 for before the log began. Overrides that had expired by then may be in it: nodes end them by time.',
      'While the database is away the last version known is served from memory, with Sluice-Stale: an answer with it does not confirm that the version is in force.',
    ].join('\n\n'),
  })
  @ApiHeader({ name: 'Accept-Encoding', required: false, description: 'br, gzip or identity (RFC 9110 section 12.5.3). Each has a tag of its own.', schema: { type: 'string', example: 'br, gzip' } })
  @ApiExtraModels(SnapshotResource, SnapshotDeltaResource)
  @ApiOkResponse({ description: 'The snapshot, or what changed of it.', headers: SNAPSHOT_HEADERS, content: { 'application/json': { schema: { anyOf: [{ $ref: getSchemaPath(SnapshotResource) }, { $ref: getSchemaPath(SnapshotDeltaResource) }] } } } })
  @ApiConditionalRead(400, 401, 404, 503)
  async get(@Query() { since, at }: SnapshotQuery, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    if (at !== undefined) {
      if (since !== undefined) throw invalid([{ pointer: '/query/since', detail: 'must be absent beside at, which is answered whole' }]);
      await this.past.answer(at, request, reply);
      return;
    }
    const inForce = await this.snapshots.inForceFor(request);
    if (answerHeld(request, reply, inForce)) return;
    const { state, staleSeconds } = await this.snapshots.answerable(inForce);
    const { headers } = request;
    const delta = since === undefined || state.tags.areOfAnotherLife(headers['if-none-match']) ? undefined : state.deltaSince(Number(since));
    const { coding, bytes } = await (delta ?? (await state.whole())).for(headers['accept-encoding']);
    sendState(reply, snapshotTag(state, coding), bytes, {
      vary: VARY,
      'sluice-epoch': state.epoch,
      'sluice-checksum': state.checksum,
      'sluice-snapshot': delta === undefined ? 'whole' : 'delta',
      ...(coding === 'identity' ? {} : { 'content-encoding': coding }),
      ...(state.published === undefined ? {} : { 'sluice-published-age': String(state.published.nowMs()) }),
      ...staleHeader(staleSeconds),
    });
  }
}
