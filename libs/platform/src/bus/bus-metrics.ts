import { Counter, Gauge, type Registry } from 'prom-client';
import type { EventBus } from './event-bus.js';

/** Shows a bus's counts and whether it is connected; read when scraped. */
export function measureBus(bus: EventBus, registry: Registry): void {
  new Counter({
    name: 'sluice_bus_messages_total',
    help: 'Messages published, dropped, handled and failed since the start.',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(bus.stats())) this.inc({ outcome }, count);
    },
  });
  new Gauge({
    name: 'sluice_bus_connected',
    help: '1 while the message bus can be reached.',
    registers: [registry],
    collect() {
      this.set(bus.isConnected() ? 1 : 0);
    },
  });
}
