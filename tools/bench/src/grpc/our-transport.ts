import { createGrpcServer } from '@sluice/envoy-rls';
import { COUNT, SHOULD_RATE_LIMIT } from './methods.js';

/** A process of its own: our transport without a service behind it, answered with the given bytes. Prints its port. */
const message = Buffer.from(process.argv[2] ?? '', 'base64');
/** Bytes that the transport keeps for itself in front of a message. */
const ROOM = Buffer.alloc(5);
let answered = 0;
const server = await createGrpcServer(
  {
    methods: new Map([
      [SHOULD_RATE_LIMIT, { kind: 'unary', handle: () => Buffer.concat([ROOM, message]) }],
      [
        COUNT,
        {
          kind: 'unary',
          handle: () => {
            const bytes = Buffer.alloc(9);
            bytes.writeUInt32BE(answered, 5);
            return bytes;
          },
        },
      ],
    ]),
    onCall: ({ method, code }) => {
      if (method === SHOULD_RATE_LIMIT && code === 0) answered += 1;
    },
  },
  { host: '127.0.0.1', port: 0 },
);
process.stdout.write(`${server.port}\n`);
// It ends with the benchmark, however that ends.
process.stdin.on('end', () => process.exit()).resume();
