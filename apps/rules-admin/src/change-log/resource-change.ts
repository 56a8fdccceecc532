import type { ResourceKind } from '../database/tombstone.entity.js';
import type { AuditAction } from './audit-entry.entity.js';

/** What a write did to one resource. */
export interface ResourceChange {
  readonly kind: ResourceKind;
  readonly id: string;
  readonly action: AuditAction;
  readonly fromVersion: number | null;
  readonly toVersion: number | null;
  readonly before: object | null;
  readonly after: object | null;
}
