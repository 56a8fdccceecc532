import { ControlPlaneUnavailable } from './control-plane-unavailable.js';

/** How long an answer is waited for: whoever asks for an explanation gets it without the text rather than late. */
const TIMEOUT_MS = 2_000;

/** Where the control plane is, and who asks. */
export interface AdminApiOptions {
  readonly url: string;
  readonly token: string;
  readonly timeoutMs?: number | undefined;
  /** When all is over, however many questions there are; absent: each has a time of its own. */
  readonly deadline?: AbortSignal | undefined;
}

/** Asks the control plane over HTTP; changes nothing there. */
export class AdminApi {
  private readonly base: string;

  constructor(private readonly options: AdminApiOptions) {
    this.base = options.url.replace(/\/+$/, '');
  }

  /** The same, with one end for all that is asked from now on. */
  withinOneWait(): AdminApi {
    return new AdminApi({ ...this.options, deadline: AbortSignal.timeout(this.options.timeoutMs ?? TIMEOUT_MS) });
  }

  /**
   * What it answers to a GET.
   *
   * @returns undefined where there is no such thing
   * @throws ControlPlaneUnavailable where it does not answer in time, or with anything else than 200 and 404
   */
  get(path: string): Promise<unknown> {
    return this.ask(path, {});
  }

  /** The same of a POST that only asks. */
  post(path: string, body: object): Promise<unknown> {
    return this.ask(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  }

  private async ask(path: string, init: { readonly method?: string; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }): Promise<unknown> {
    const { token, timeoutMs = TIMEOUT_MS, deadline = AbortSignal.timeout(timeoutMs) } = this.options;
    try {
      const headers = { ...init.headers, accept: 'application/json', authorization: `Bearer ${token}` };
      // A redirect would carry the token to wherever it leads.
      const response = await fetch(`${this.base}${path}`, { ...init, headers, redirect: 'error', signal: deadline });
      if (response.status === 200) return (await response.json()) as unknown;
      await response.body?.cancel();
      if (response.status === 404) return undefined;
      throw new ControlPlaneUnavailable(refusal(response.status));
    } catch (error) {
      if (error instanceof ControlPlaneUnavailable) throw error;
      throw new ControlPlaneUnavailable(`it did not answer within ${timeoutMs / 1_000} s, or not as it should`, { cause: error });
    }
  }
}

function refusal(status: number): string {
  if (status === 401 || status === 403) return `it does not take the token of this service (${status}): SLUICE_ADMIN_TOKEN needs the role of a viewer`;
  return `it answered ${status}`;
}
