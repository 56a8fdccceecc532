import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { currentPrincipal } from '../access/acting.js';
import { answerHeld } from './answer-held.js';
import { SnapshotService } from './snapshot.service.js';

const URL = '/v1/snapshot';
/** A query that asks for more than changes is the controller's to judge. */
const PLAIN_POLL = /^\/v1\/snapshot(?:\?since=\d{1,15})?$/;

/**
 * Answers what nearly every poll comes to, 304, ahead of Nest, whose way to a handler costs more than the answer. It is a hook of the controller's own route,
 * behind the one that asks who calls, and answers nothing else: who asks for something else or holds another version goes on to the controller.
 */
@Injectable()
export class HeldSnapshotRoute {
  constructor(
    host: HttpAdapterHost,
    private readonly snapshots: SnapshotService,
  ) {
    const fastify = host.httpAdapter.getInstance<FastifyInstance>();
    // Nest adds its routes after its providers are made.
    fastify.addHook('onRoute', (route) => {
      if (route.url === URL) route.onRequest = [route.onRequest ?? [], this.onPoll].flat();
    });
  }

  private readonly onPoll = (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    // Who got this far was let in; that nobody asked would be a fault, and must open nothing.
    const isLetIn = currentPrincipal() !== undefined;
    if (!isLetIn || request.headers['if-none-match'] === undefined || !PLAIN_POLL.test(request.url)) {
      done();
      return;
    }
    this.snapshots.inForceFor(request).then(
      (inForce) => {
        if (!answerHeld(request, reply, inForce)) done();
      },
      // The controller meets the same, and says so.
      () => done(),
    );
  };
}
