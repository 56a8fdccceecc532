import type { StreamStats } from '@sluice/decision-stream';
import type { MetricFamily } from '@sluice/middleware';

/** What became of the events of a node (R80). Once none waits, `sampled_out` and the rest are as many as there were decisions. */
export function streamMetrics(stats: () => StreamStats): readonly MetricFamily[] {
  return [
    {
      name: 'sluice_stream_events_total',
      help: 'Events of the decision stream by what became of them: sent, left out by sampling, or lost: for want of room, since the bus did not take them, or at the stop.',
      type: 'counter',
      labelNames: ['outcome'],
      collect() {
        const { sent, sampledOut, droppedFull, droppedSink, droppedStop } = stats();
        const counts = { sent, sampled_out: sampledOut, dropped_full: droppedFull, dropped_sink: droppedSink, dropped_stop: droppedStop };
        return Object.entries(counts).map(([outcome, value]) => ({ labels: { outcome }, value }));
      },
    },
    {
      name: 'sluice_stream_waiting',
      help: 'Events of the decision stream that are not sent yet.',
      type: 'gauge',
      labelNames: [],
      collect: () => [{ labels: {}, value: stats().waiting }],
    },
  ];
}
