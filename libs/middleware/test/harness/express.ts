import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { decisionOf } from '../../src/decision-of.js';
import { rateLimit } from '../../src/express/index.js';
import type { SkinHarness, SkinServer } from '../skin-harness.js';

export async function listenExpress(app: express.Express, socketPath?: string): Promise<SkinServer> {
  const server = socketPath === undefined ? createServer(app).listen(0, '127.0.0.1') : createServer(app).listen(socketPath);
  await once(server, 'listening');
  return {
    url: socketPath ?? `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Without the log of errors that a test provokes. */
export function quietExpress(): express.Express {
  return express().set('env', 'test');
}

export const expressHarness: SkinHarness = {
  name: 'Express',
  knowsTemplates: false,
  async start(options, { bindings, served, slowMs, socketPath }) {
    const app = quietExpress();
    for (let i = 0; i < bindings; i += 1) app.use(rateLimit(options));
    app.get('/items/:id', (request, response) => {
      served(request.path);
      response.json(decisionOf(request)?.deciding?.remaining ?? null);
    });
    app.get('/fails', (request, response) => {
      served(request.path);
      response.status(503).end();
    });
    app.get('/slow', (request, response) => {
      served(request.path);
      setTimeout(() => response.end(), slowMs);
    });
    return listenExpress(app, socketPath);
  },
};
