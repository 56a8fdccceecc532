import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { withLock } from '../run/with-lock.js';

const run = promisify(execFile);
const DOWNLOAD_TIMEOUT_MS = 300_000;
const KAFKA_VERSION = '4.4.0';

// The broker itself, and a logger that prints its errors: Kafka's jars leave the choice of one to the user.
const ARTIFACTS = [
  { groupId: 'org.apache.kafka', artifactId: 'kafka_2.13', version: KAFKA_VERSION },
  { groupId: 'org.apache.logging.log4j', artifactId: 'log4j-slf4j-impl', version: '2.25.5' },
];

const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>sluice.testkit</groupId><artifactId>kafka</artifactId><version>1</version><packaging>pom</packaging>
  <dependencies>
${ARTIFACTS.map(
  ({ groupId, artifactId, version }) =>
    `    <dependency><groupId>${groupId}</groupId><artifactId>${artifactId}</artifactId><version>${version}</version></dependency>`,
).join('\n')}
  </dependencies>
</project>
`;

/**
 * The class path of Apache Kafka and all it needs at run time, copied from Maven Central once into
 * `~/.cache/sluice/kafka-VERSION` (44 MB; `XDG_CACHE_HOME` is heeded).
 */
export async function mavenKafka(mvn: string): Promise<string> {
  const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'sluice');
  const jars = join(cache, `kafka-${KAFKA_VERSION}`);
  mkdirSync(cache, { recursive: true });
  if (!existsSync(jars)) await withLock(`${jars}.lock`, DOWNLOAD_TIMEOUT_MS, () => download(mvn, cache, jars));
  return join(jars, '*');
}

async function download(mvn: string, cache: string, jars: string): Promise<void> {
  if (existsSync(jars)) return;
  process.stderr.write(`testkit: fetching Apache Kafka ${KAFKA_VERSION} from Maven Central into ${jars}\n`);
  const draft = mkdtempSync(join(cache, 'kafka-draft-'));
  try {
    writeFileSync(join(draft, 'pom.xml'), POM);
    await run(
      mvn,
      ['-q', '-B', '-f', join(draft, 'pom.xml'), 'dependency:copy-dependencies', '-DincludeScope=runtime', `-DoutputDirectory=${join(draft, 'jars')}`],
      { timeout: DOWNLOAD_TIMEOUT_MS, maxBuffer: 16 * 1024 * 1024 },
    );
    renameSync(join(draft, 'jars'), jars); // All of them or none.
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
