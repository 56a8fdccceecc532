import { TOPICS } from '@sluice/events';
import { type Admin, Kafka, logLevel } from 'kafkajs';

const GROUP_ID = 'sluice-decision-log';

/** The topic of decisions on a broker of a test's own. */
export interface DecisionsTopic {
  /** Messages that the sink has not committed. */
  behind(): Promise<number>;
  close(): Promise<void>;
}

export async function createDecisionsTopic(brokers: readonly string[], partitions: number): Promise<DecisionsTopic> {
  const admin: Admin = new Kafka({ brokers: [...brokers], logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  await admin.createTopics({ topics: [{ topic: TOPICS.decisions, numPartitions: partitions }], waitForLeaders: true });
  return {
    async behind() {
      const ends = await admin.fetchTopicOffsets(TOPICS.decisions);
      const committed = await admin.fetchOffsets({ groupId: GROUP_ID, topics: [TOPICS.decisions] });
      const positions = new Map(committed.flatMap(({ partitions: all }) => all.map(({ partition, offset }) => [partition, Math.max(0, Number(offset))] as const)));
      return ends.reduce((sum, { partition, high }) => sum + Number(high) - (positions.get(partition) ?? 0), 0);
    },
    close: () => admin.disconnect(),
  };
}
