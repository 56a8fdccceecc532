import { aptInstall } from '../find/apt-install.js';
import { findOnPath } from '../find/find-on-path.js';
import { type Lifetime, ServerProcess } from '../run/server-process.js';
import type { KafkaServer } from './kafka-server.js';
import { untilKafkaAnswers } from './until-kafka-answers.js';

const ADDRESS_TIMEOUT_MS = 15_000;

/** Starts librdkafka's mock cluster inside kcat, for want of a real Kafka, and says so. */
export async function startMockKafka(whyNotReal: string, lifetime: Lifetime): Promise<KafkaServer> {
  const kcat = findOnPath('kcat') ?? (await aptInstall('kcat', 'kcat'));
  if (kcat === undefined) {
    throw new Error(
      `no Kafka: ${whyNotReal}; and kcat, whose mock cluster would do, is not on PATH and can be installed from here only as root on Debian. ` +
        'Install Java 17 and Maven, or set KAFKA_HOME, or point SLUICE_TEST_KAFKA_BROKERS at running brokers (shared only).',
    );
  }
  process.stderr.write(
    `\n!!! testkit: THIS IS NOT KAFKA but librdkafka's MOCK cluster (${whyNotReal}).\n` +
      '!!! It has no createTopics, deleteTopics, idempotent producer or transactions, and its groups rebalance slowly.\n\n',
  );
  const server = new ServerProcess({
    name: 'kafka-mock',
    command: '/bin/sh',
    // kcat hosts the cluster for as long as its input is open.
    args: () => ['-c', 'tail -f /dev/null | "$0" -P -t ignored -b ignored:1 -X test.mock.num.brokers=1', kcat],
    lifetime,
    stopSignal: 'SIGKILL',
  });
  try {
    server.start();
    await server.untilReady(async () => address(server.logTail) !== undefined, ADDRESS_TIMEOUT_MS);
    const brokers = [address(server.logTail) ?? ''];
    await untilKafkaAnswers(server, brokers);
    return {
      brokers,
      kind: 'mock',
      get pid() {
        return server.pid;
      },
      kill: () => server.kill(),
      pause: () => server.pause(),
      resume: () => server.resume(),
      restart: () => Promise.reject(new Error('the mock Kafka cannot restart: it keeps no data and chooses its own port')),
      stop: () => server.dispose(),
    };
  } catch (error) {
    await server.dispose();
    throw error;
  }
}

/** kcat names the mock's address on stderr: `… bootstrap.servers set to 127.0.0.1:39045`. */
function address(log: string): string | undefined {
  return /\b(127\.0\.0\.1:\d+)/.exec(log)?.[1];
}
