import type { IncomingMessage } from 'node:http';
import type { TextAnswer } from './write-text.js';

/**
 * A short way past Fastify to a `POST` route that is in Fastify too. It takes only requests of which nothing is wrong, and answers 200; every
 * other one is answered by the route as if there were no short way, so that the route alone says how.
 */
export interface HotRoute {
  /** As the route is registered in Fastify: `/v1/things::count` is the path `/v1/things:count`. */
  readonly url: string;
  /** Largest body in bytes that is taken; that of the route, or less. */
  readonly bodyLimit: number;
  /** What the route's `onRequest` hooks look at. False leaves the request to the route, its body unread. */
  admits(request: IncomingMessage): boolean;
  /**
   * The answer to a body, which is well-formed UTF-8; undefined leaves it to the route, and then nothing may have been done by it. What is
   * thrown is answered as if the route had thrown it.
   */
  answer(body: string): TextAnswer | Promise<TextAnswer> | undefined;
}
