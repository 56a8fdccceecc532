import { join } from 'node:path';
import { findOnPath } from '../find/find-on-path.js';
import { mavenKafka } from './maven-kafka.js';

/** How to run Apache Kafka's classes. */
export interface KafkaProgram {
  readonly java: string;
  readonly classPath: string;
}

/**
 * Apache Kafka: `KAFKA_HOME`, else its jars by Maven. Otherwise the reason why it cannot be had here.
 */
export async function findKafka(): Promise<KafkaProgram | { readonly missing: string }> {
  const javaHome = process.env['JAVA_HOME'];
  const java = javaHome === undefined ? findOnPath('java') : join(javaHome, 'bin/java');
  if (java === undefined) return { missing: 'java is not on PATH' };
  const home = process.env['KAFKA_HOME'];
  if (home !== undefined) return { java, classPath: join(home, 'libs/*') };
  const mvn = findOnPath('mvn');
  if (mvn === undefined) return { missing: 'KAFKA_HOME is not set and mvn is not on PATH' };
  try {
    return { java, classPath: await mavenKafka(mvn) };
  } catch (error) {
    return { missing: `Maven did not bring Kafka's jars: ${error instanceof Error ? error.message : String(error)}` };
  }
}
