import { STATUS_CODES } from 'node:http';

/** One field that is wrong. */
export interface FieldFault {
  /** RFC 6901 pointer into the request's body; for a query parameter or a path parameter `/query/name`, `/path/name`. */
  readonly pointer: string;
  readonly detail: string;
}

/** A problem document (RFC 9457 section 3). */
export interface Problem {
  /** URI of the kind of problem; `about:blank` says no more than the status does. */
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail?: string;
  readonly errors?: readonly FieldFault[];
  readonly [extension: string]: unknown;
}

/** A problem with the header fields that its answer must carry (`Allow`, `Retry-After`, `WWW-Authenticate`). */
export interface ProblemAnswer {
  readonly problem: Problem;
  readonly headers: Readonly<Record<string, string>>;
}

/** What a problem may say beside its status. A `type` that is not `about:blank` should come with its own title (RFC 9457 section 4.2.1). */
export interface ProblemParts {
  readonly type?: string;
  readonly title?: string;
  readonly detail?: string;
  readonly errors?: readonly FieldFault[];
  readonly [extension: string]: unknown;
}

/** The URI of one of Sluice's own kinds of problem. */
export function problemType(slug: string): string {
  return `urn:sluice:problem:${slug}`;
}

/** Builds a problem; the title is the status's reason phrase unless given. */
export function problem(status: number, parts: ProblemParts = {}): Problem {
  return { type: 'about:blank', title: STATUS_CODES[status] ?? 'Error', status, ...parts };
}
