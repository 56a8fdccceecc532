import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendNotModified } from '../conditional/send-validated.js';
import { staleHeader } from './stale-header.js';
import type { InForce } from './snapshot.service.js';

/** What the answers of the snapshot depend on beside the URL. */
export const VARY = 'accept-encoding, authorization';

/**
 * Answers 304 to who holds the version in force. Who holds a newer one than a process that cannot ask the database is told to keep it: sent back, a node
 * would refuse the older version and raise an alarm.
 *
 * @returns whether it did
 */
export function answerHeld(request: FastifyRequest, reply: FastifyReply, { tags, epoch, staleSeconds }: InForce): boolean {
  const held = tags.heldBy(request.headers['if-none-match'], { orNewer: staleSeconds !== undefined });
  if (held === undefined) return false;
  sendNotModified(reply, held, { vary: VARY, 'sluice-epoch': epoch, ...staleHeader(staleSeconds) });
  return true;
}
