import type { RateLimitRequest, RateLimitResponse } from '../messages.js';
import type { UnaryHandler } from '../transport/call.js';
import { FRAME_BYTES } from '../transport/frame.js';
import type { GrpcFault } from '../transport/grpc-fault.js';
import { decodeRateLimitRequest } from './decode-request.js';
import { encodeRateLimitResponse } from './encode-response.js';

type Answer = RateLimitResponse | GrpcFault;

/** `ShouldRateLimit` between bytes: synchronous where the service is. */
export function shouldRateLimit(service: (request: RateLimitRequest) => Answer | Promise<Answer>): UnaryHandler {
  return (message) => {
    const request = decodeRateLimitRequest(message);
    if ('code' in request) return request;
    const answer = service(request);
    return 'then' in answer ? answer.then(encoded) : encoded(answer);
  };
}

function encoded(answer: Answer): Buffer | GrpcFault {
  return 'code' in answer ? answer : encodeRateLimitResponse(answer, FRAME_BYTES);
}
