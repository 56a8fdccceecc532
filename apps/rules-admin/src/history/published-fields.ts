import type { ResourceKind } from '../database/tombstone.entity.js';
import { type Proposal, publishedProposal } from '../proposals/proposal-json.js';

/** Where nodes get something else than the API shows and the log keeps. */
const PUBLISHED: Partial<Record<ResourceKind, (resource: object) => object>> = {
  override: (resource) => Object.fromEntries(Object.entries(resource).filter(([name]) => name !== 'reason' && name !== 'version')),
  proposal: (resource) => publishedProposal(resource as Proposal),
};

/** A resource of the log as the snapshot has it. */
export function publishedFields(kind: ResourceKind, resource: object): object {
  return PUBLISHED[kind]?.(resource) ?? resource;
}
