import { ConfigError } from '@sluice/platform';
import { refuseStreamWithoutBrokers } from './refuse-stream-without-brokers.js';
import { streamParts } from './stream-parts.js';

const SHARES = { streamAllowShare: 0.5, streamRuleShares: new Map([['search', 1]]), streamAttributes: ['device'] };
const TARGET = { bus: { publishBatch: async () => 0 }, region: 'eu-1', nodeId: 'n1' };

describe('R80 whether a node has a stream', () => {
  it('one that is wanted and would reach nobody is a fault of the configuration', () => {
    expect(() => refuseStreamWithoutBrokers({ stream: 'on', kafkaBrokers: undefined })).toThrow(ConfigError);
    for (const config of [{ stream: 'on', kafkaBrokers: ['k:9092'] }, { stream: 'off', kafkaBrokers: undefined }, { stream: undefined, kafkaBrokers: undefined }] as const) expect(() => refuseStreamWithoutBrokers(config)).not.toThrow();
  });

  it('off is off; else it is as it is configured', () => {
    expect(streamParts({ stream: 'off', ...SHARES }, TARGET)).toBeUndefined();
    for (const stream of ['on', undefined] as const) {
      expect(streamParts({ stream, ...SHARES }, TARGET)).toEqual({ sink: { send: expect.any(Function) }, region: 'eu-1', nodeId: 'n1', allowShare: 0.5, ruleShares: SHARES.streamRuleShares, attributes: ['device'] });
    }
  });
});
