import { parseEndpoint, type EndpointTemplate } from './endpoint-template.js';

/** A rule's endpoint, with what the order of specificity asks of it. */
export interface Endpoint {
  /** Undefined: any endpoint. */
  readonly template: EndpointTemplate | undefined;
  /** Literal segments. */
  readonly literals: number;
  /** The segments, one letter each: text order is the order of narrowness, tail < end < param < literal. Empty without a template. */
  readonly shape: string;
}

export const ANY_ENDPOINT: Endpoint = { template: undefined, literals: 0, shape: '' };

/** Endpoints by their text, each taken apart once: rules of twenty plans name the same routes, and an index shares them. */
export class EndpointBook {
  private readonly byText = new Map<string, Endpoint>();

  /** Throws a RangeError for a malformed endpoint. */
  read(text: string): Endpoint {
    let endpoint = this.byText.get(text);
    if (endpoint === undefined) {
      endpoint = endpointOf(text);
      this.byText.set(text, endpoint);
    }
    return endpoint;
  }
}

function endpointOf(text: string): Endpoint {
  const parsed = parseEndpoint(text);
  if (parsed.kind === 'malformed') throw new RangeError(`endpoint ${parsed.detail}`);
  if (parsed.kind === 'any') return ANY_ENDPOINT;
  const { template } = parsed;
  const { segments, tail } = template;
  return {
    template,
    literals: segments.filter((segment) => segment !== undefined).length,
    shape: segments.map((segment) => (segment === undefined ? 'p' : 's')).join('') + (tail ? 'a' : 'e'),
  };
}
