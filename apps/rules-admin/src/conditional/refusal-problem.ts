import { type Problem, problem, problemType } from '@sluice/platform';
import { strongTag, versionTag } from './entity-tag.js';
import type { Refusal } from './precondition.js';

interface Wording {
  readonly slug: string;
  readonly title: string;
  readonly detail: string;
}

function wordingOf(refusal: Refusal, what: string): Wording {
  switch (refusal.reason) {
    case 'version_mismatch':
      return {
        slug: 'version-mismatch',
        title: 'Version mismatch',
        detail: `${what} is at version ${refusal.currentVersion}, which If-Match does not name as a strong tag. Fetch it, redo the change on what is there, and send that without its id and version, with If-Match: ${tagOf(refusal.currentVersion)}.`,
      };
    case 'already_exists':
      return { slug: 'already-exists', title: 'Already exists', detail: `${what} exists at version ${refusal.currentVersion}. To replace it send If-Match with its tag instead of If-None-Match.` };
    case 'does_not_exist':
      return { slug: 'does-not-exist', title: 'Does not exist', detail: `${what} does not exist, so that no If-Match holds. To create it send If-None-Match: *.` };
    case 'precondition_required':
      return {
        slug: 'precondition-required',
        title: 'Precondition required',
        detail:
          refusal.currentVersion === undefined
            ? `${what} does not exist. To create it send If-None-Match: *.`
            : `${what} exists, and a change must name the version that it replaces. Send If-Match: ${tagOf(refusal.currentVersion)} to change what is there now.`,
      };
  }
}

function tagOf(version: number): string {
  return strongTag(versionTag(version));
}

/** The 412 of a refused write; it says what is there, and how to go on. Nothing was changed. */
export function refusalProblem(refusal: Refusal, what: string): Problem {
  const { slug, title, detail } = wordingOf(refusal, what);
  const current = 'currentVersion' in refusal ? refusal.currentVersion : undefined;
  return problem(412, {
    type: problemType(slug),
    title,
    detail,
    ...(current === undefined ? {} : { current_version: current, current_etag: tagOf(current) }),
  });
}
