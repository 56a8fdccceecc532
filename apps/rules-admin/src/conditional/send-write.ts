import { ProblemException } from '@sluice/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RemovalOutcome, WriteOutcome } from '../database/versioned-table.js';
import type { VersionedRow } from '../database/versioned-row.js';
import { notFound } from '../input/not-found.js';
import { strongTag, versionTag } from './entity-tag.js';
import { refusalProblem } from './refusal-problem.js';
import { isHeldByCaller, sendNotModified, sendState } from './send-validated.js';

/** A resource's name for people, field of its id and place. */
export interface ResourceName {
  /** `Rule` */
  readonly kind: string;
  /** `rule_id` */
  readonly idField: string;
  /** `/v1/rules` */
  readonly path: string;
  /** `/proposal`, where the resource lies below the id. */
  readonly below?: string;
}

/** The tag of a row's version, as a header field. */
function tagHeader(row: VersionedRow): Record<string, string> {
  return { etag: strongTag(versionTag(row.version)), 'cache-control': 'no-store' };
}

/** 201 with `Location`, 200, or 412 (R51); the body says id and version, and what `remarks` add. */
export function sendWrite(reply: FastifyReply, outcome: WriteOutcome<VersionedRow>, { kind, idField, path, below = '' }: ResourceName, id: string, remarks: object = {}): void {
  if (outcome.status === 'refused') throw new ProblemException(refusalProblem(outcome.refusal, `${kind} ${id}`));
  const { row, status } = outcome;
  reply
    .code(status === 'created' ? 201 : 200)
    .headers({ ...tagHeader(row), ...(status === 'created' ? { location: `${path}/${row.id}${below}` } : {}) })
    .send({ [idField]: row.id, version: row.version, ...remarks });
}

/** 204, or 412. */
export function sendRemoval(reply: FastifyReply, outcome: RemovalOutcome, { kind }: ResourceName, id: string): void {
  if (outcome.status === 'absent') throw notFound(`${kind} ${id}`);
  if (outcome.status === 'refused') throw new ProblemException(refusalProblem(outcome.refusal, `${kind} ${id}`));
  reply.code(204).header('cache-control', 'no-store').send();
}

/** 200 with one resource and its tag, or 304 when the caller holds this version. */
export function sendResource(request: FastifyRequest, reply: FastifyReply, row: VersionedRow, body: object): void {
  const tag = versionTag(row.version);
  if (isHeldByCaller(request, tag)) sendNotModified(reply, tag);
  else sendState(reply, tag, body);
}
