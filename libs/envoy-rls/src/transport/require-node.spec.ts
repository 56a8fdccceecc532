import { requireNode } from './require-node.js';

describe('the Node that gRPC needs', () => {
  it.each(['20.19.0', '22.9.1'])('is not %s, and says so', (version) => {
    expect(() => requireNode(version)).toThrow(`gRPC is served on Node 24 or later, and this is ${version}`);
  });
  it.each(['24.0.0', '25.1.0', process.versions.node])('may be %s', (version) => {
    expect(() => requireNode(version)).not.toThrow();
  });
});
