import { type TextAnswer, writeText } from '@sluice/platform';
import type { FastifyReply } from 'fastify';

/** Answers past Fastify's reply; whoever measures and logs answers still hears of it. */
export function sendText(reply: FastifyReply, answer: TextAnswer, stopping: boolean): void {
  reply.hijack();
  writeText(reply.raw, reply.request.id, answer, stopping);
}
