import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePorts } from '../net/free-port.js';
import { type Lifetime, ServerProcess } from '../run/server-process.js';
import { brokerProperties } from './broker-properties.js';
import { findKafka, type KafkaProgram } from './find-kafka.js';
import { startMockKafka } from './mock-kafka.js';
import { untilKafkaAnswers } from './until-kafka-answers.js';

/** A Kafka that this test owns. */
export interface KafkaServer {
  /** `HOST:PORT` each. */
  readonly brokers: string[];
  /** `mock` is librdkafka's: no createTopics, no deleteTopics, no idempotent producer, no transactions. */
  readonly kind: 'kafka' | 'mock';
  readonly pid: number;
  /** kill -9. */
  kill(): Promise<void>;
  /** SIGSTOP: connections stay open, nothing is answered. */
  pause(): void;
  resume(): void;
  /** Ends it when it runs, and starts it on the same port and data. A mock cannot: it rejects. */
  restart(): Promise<void>;
  /** Ends it for good and removes its data. */
  stop(): Promise<void>;
}

// One broker for tests: the serial collector and the first compiler alone make it start in 2 s and stay below 200 MB.
const JVM = ['-Xms64m', '-Xmx384m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-XX:-UsePerfData'];
const CLUSTER_ID = 'c2x1aWNlLXRlc3RraXQxMQ';

/**
 * Starts a private Kafka on a free port; resolves when it answers. About 3.5 s, half of it in formatting its
 * storage. Where Apache Kafka cannot be had it is librdkafka's mock cluster, and stderr says so.
 */
export async function startKafka({ lifetime = 'process' }: { readonly lifetime?: Lifetime } = {}): Promise<KafkaServer> {
  const found = await findKafka();
  return 'missing' in found ? startMockKafka(found.missing, lifetime) : startRealKafka(found, lifetime);
}

async function startRealKafka({ java, classPath }: KafkaProgram, lifetime: Lifetime): Promise<KafkaServer> {
  const [port, controllerPort] = (await freePorts(2)) as [number, number];
  const brokers = [`127.0.0.1:${port}`];
  const jvm = [...JVM, '-cp', classPath];
  const server = new ServerProcess({
    name: `kafka-${port}`,
    command: java,
    args: (dataDir) => [...jvm, 'kafka.Kafka', join(dataDir, 'server.properties')],
    lifetime,
    stopSignal: 'SIGKILL',
  });

  async function start(): Promise<void> {
    server.start();
    await untilKafkaAnswers(server, brokers);
  }

  try {
    const properties = join(server.dataDir, 'server.properties');
    writeFileSync(properties, brokerProperties({ port, controllerPort, logDir: join(server.dataDir, 'log') }));
    await server.prepare(java, [...jvm, 'kafka.tools.StorageTool', 'format', '-t', CLUSTER_ID, '-c', properties]);
    await start();
  } catch (error) {
    await server.dispose();
    throw error;
  }
  return {
    brokers,
    kind: 'kafka',
    get pid() {
      return server.pid;
    },
    kill: () => server.kill(),
    pause: () => server.pause(),
    resume: () => server.resume(),
    restart: async () => {
      await server.end('SIGTERM', 15_000);
      await start();
    },
    stop: () => server.dispose(),
  };
}
