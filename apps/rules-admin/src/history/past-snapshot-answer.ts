import { Injectable } from '@nestjs/common';
import { ProblemException } from '@sluice/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { forbidden } from '../access/access-problems.js';
import { currentPrincipal } from '../access/acting.js';
import { mayAct } from '../access/role.js';
import { sendNotModified, sendState } from '../conditional/send-validated.js';
import { VARY } from '../snapshot/answer-held.js';
import { HeldTags, snapshotTag } from '../snapshot/snapshot-tag.js';
import { PastSnapshots } from './past-snapshots.js';

const ASKED = ['viewer'] as const;

/**
 * `GET /v1/snapshot?at=…`. The tag is the one that the version had when it was in force, since the bytes are the same. Nodes are let in to the route for the
 * present alone: what was is for people.
 */
@Injectable()
export class PastSnapshotAnswer {
  constructor(private readonly past: PastSnapshots) {}

  /** @throws ProblemException 400 for the future, 403 for a node, 404 for before the log began */
  async answer(at: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    assertViewer();
    const versions = await this.past.versionsAt(at);
    const { headers } = request;
    const { epoch, snapshotVersion } = versions;
    const held = new HeldTags({ version: snapshotVersion, epoch }).heldBy(headers['if-none-match']);
    if (held !== undefined) {
      sendNotModified(reply, held, { vary: VARY, 'sluice-epoch': epoch });
      return;
    }
    const state = await this.past.state(versions);
    const { coding, bytes } = await (await state.whole()).for(headers['accept-encoding']);
    sendState(reply, snapshotTag(state, coding), bytes, {
      vary: VARY,
      'sluice-epoch': epoch,
      'sluice-checksum': state.checksum,
      'sluice-snapshot': 'whole',
      ...(coding === 'identity' ? {} : { 'content-encoding': coding }),
    });
  }
}

function assertViewer(): void {
  const role = currentPrincipal()?.role ?? 'node';
  if (mayAct(role, ASKED)) return;
  const { problem, headers } = forbidden(role, ASKED);
  throw new ProblemException(problem, headers);
}
