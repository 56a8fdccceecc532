import { NestFactory } from '@nestjs/core';
import type { MicroserviceOptions } from '@nestjs/microservices';
import { createLogger, EventBusServer, KafkaBus } from '@sluice/platform';
import { ConfigChangesModule } from '@sluice/rules-node';
import { createSnapshotClient, type SnapshotClient } from '@sluice/snapshot-client';
import { ADMIN_TOKEN } from './rules-admin.js';

/** A version that a node brought into force. */
export interface Applied {
  readonly version: number;
  readonly atMs: number;
  /** What the node itself takes for the time since the commit, for its metric. */
  readonly publishedAgeMs: number | undefined;
}

/** What a node of the data plane has to do with rules, on a Kafka connection of its own: it polls, and hears the push. */
export interface ListeningNode {
  readonly client: SnapshotClient;
  readonly applied: readonly Applied[];
  /** Resolves when it has rules. */
  readonly started: Promise<void>;
  /** Resolves when it hears the push, or 5 s later. */
  readonly listening: Promise<unknown>;
  close(): Promise<void>;
}

export interface ListeningNodeOptions {
  readonly adminUrl: string;
  readonly brokers: readonly string[];
  readonly pollMs: number;
}

export async function startListeningNode({ adminUrl, brokers, pollMs }: ListeningNodeOptions): Promise<ListeningNode> {
  const bus = new KafkaBus({ brokers, clientId: 'e2e-node', logger: createLogger({ app: 'e2e', level: 'fatal' }) });
  const applied: Applied[] = [];
  const client = createSnapshotClient({
    url: adminUrl,
    token: ADMIN_TOKEN,
    pollMs,
    onSnapshot: () => undefined,
    onApplied: ({ version, publishedAgeMs }) => void applied.push({ version, publishedAgeMs, atMs: Date.now() }),
  });
  const service = await NestFactory.createMicroservice<MicroserviceOptions>(ConfigChangesModule.register(client), { strategy: new EventBusServer(bus), logger: false });
  return {
    client,
    applied,
    started: client.start(),
    listening: service.listen(),
    async close() {
      await Promise.all([service.close(), client.close()]);
      await bus.close();
    },
  };
}

/** When the node had that version or a later one in force; undefined while it has not. */
export function hadAtMs({ applied }: ListeningNode, version: number): number | undefined {
  return applied.find((each) => each.version >= version)?.atMs;
}
