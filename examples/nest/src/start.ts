import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { InProcessOptions, RemoteOptions } from '@sluice/middleware';
import { AppModule } from './app.module.js';

export interface StartOptions {
  /** 0 for any. */
  readonly port: number;
  readonly limiter: InProcessOptions | RemoteOptions;
}

export interface Running {
  readonly url: string;
  close(): Promise<void>;
}

/** A Nest app behind Sluice, on Fastify; on Express all but the adapter is the same. Resolves when it listens; the module opens and closes the limiter. */
export async function start({ port, limiter }: StartOptions): Promise<Running> {
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.with(limiter), new FastifyAdapter(), { logger: ['error', 'warn'] });
  await app.listen(port, '127.0.0.1');
  return { url: await app.getUrl(), close: () => app.close() };
}
