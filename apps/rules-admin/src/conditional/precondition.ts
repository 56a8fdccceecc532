import { type EntityTags, matchesStrongly, parseEntityTags, versionTag } from './entity-tag.js';

/** What a write demands of the resource as it is. A field that is there and not well formed demands what nothing meets. */
export interface Precondition {
  readonly ifMatch: EntityTags | 'malformed' | undefined;
  readonly ifNoneMatch: EntityTags | 'malformed' | undefined;
}

/** Why a write was refused (412), as a value: losing a race is no fault. */
export type Refusal =
  /** The resource exists and the request says nothing of its version. */
  | { readonly reason: 'precondition_required'; readonly currentVersion: number | undefined }
  /** It exists, at another version than any that the request names. */
  | { readonly reason: 'version_mismatch'; readonly currentVersion: number }
  /** `If-Match` on what does not exist. */
  | { readonly reason: 'does_not_exist' }
  /** `If-None-Match: *` on what exists. */
  | { readonly reason: 'already_exists'; readonly currentVersion: number };

interface ConditionalHeaders {
  readonly 'if-match'?: string | undefined;
  readonly 'if-none-match'?: string | undefined;
}

/** The precondition in a request's header. */
export function preconditionOf(headers: ConditionalHeaders): Precondition {
  const read = (field: string | undefined): EntityTags | 'malformed' | undefined => (field === undefined ? undefined : (parseEntityTags(field) ?? 'malformed'));
  return { ifMatch: read(headers['if-match']), ifNoneMatch: read(headers['if-none-match']) };
}

/**
 * Whether a write may go ahead on a resource at `currentVersion` (undefined: there is none). Each write names the version that it
 * replaces, or says with `If-None-Match: *` that it creates (R51): what does neither would overwrite somebody's change unseen.
 *
 * @returns undefined when it may
 */
export function refusalOf({ ifMatch, ifNoneMatch }: Precondition, currentVersion: number | undefined): Refusal | undefined {
  if (ifNoneMatch === '*' && currentVersion !== undefined) return { reason: 'already_exists', currentVersion };
  if (ifMatch !== undefined) {
    if (currentVersion === undefined) return { reason: 'does_not_exist' };
    if (ifMatch === 'malformed' || !matchesStrongly(ifMatch, versionTag(currentVersion))) return { reason: 'version_mismatch', currentVersion };
    return undefined;
  }
  return ifNoneMatch === '*' ? undefined : { reason: 'precondition_required', currentVersion };
}
