import type { ResourceKind } from '../database/tombstone.entity.js';
import { type Proposal, publishedProposal } from '../proposals/proposal-json.js';

/** Fields that the API shows, and the log keeps, and nodes do not get. */
const UNPUBLISHED: Partial<Record<ResourceKind, readonly string[]>> = { override: ['reason', 'version'] };

/** A resource of the log as the snapshot has it. */
export function publishedFields(kind: ResourceKind, resource: object): object {
  if (kind === 'proposal') return publishedProposal(resource as Proposal);
  const unpublished = UNPUBLISHED[kind];
  return unpublished === undefined ? resource : Object.fromEntries(Object.entries(resource).filter(([name]) => !unpublished.includes(name)));
}
