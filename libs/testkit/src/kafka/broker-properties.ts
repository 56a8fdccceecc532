/** Kafka's settings for one node that is broker and controller (KRaft), all on 127.0.0.1. */
export function brokerProperties(options: { port: number; controllerPort: number; logDir: string }): string {
  const { port, controllerPort, logDir } = options;
  const settings: Readonly<Record<string, string | number>> = {
    'process.roles': 'broker,controller',
    'node.id': 1,
    'controller.quorum.voters': `1@127.0.0.1:${controllerPort}`,
    listeners: `PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${port}`,
    'inter.broker.listener.name': 'PLAINTEXT',
    'controller.listener.names': 'CONTROLLER',
    'listener.security.protocol.map': 'CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT',
    'log.dirs': logDir,
    // One node can hold one copy, and a consumer need not wait for others to join its group.
    'offsets.topic.num.partitions': 1,
    'offsets.topic.replication.factor': 1,
    'transaction.state.log.num.partitions': 1,
    'transaction.state.log.replication.factor': 1,
    'transaction.state.log.min.isr': 1,
    'group.initial.rebalance.delay.ms': 0,
    // Tests that kill members need not wait 6 s for each to be missed; whoever asks for nothing gets what a broker has by default.
    'group.min.session.timeout.ms': 1_000,
    // A broker that comes back after kill -9 must first be missed by the controller, which takes 9 s by default.
    'broker.heartbeat.interval.ms': 500,
    'broker.session.timeout.ms': 3_000,
    'log.cleaner.dedupe.buffer.size': 8 * 1024 * 1024,
  };
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}
