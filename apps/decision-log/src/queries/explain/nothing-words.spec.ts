import { nothingNotes } from './nothing-words.js';

const LOOKED = { fromMs: 1_000, toMs: 2_000, keyId: 'zy', endpoint: undefined };
const STORE = { oldestMs: 0, newestMs: 3_000 };

describe('R82 notes where nothing is recorded', () => {
  it('say of a key that is not known, or disabled, what the gateway does: others decide about any key', () => {
    expect(nothingNotes(LOOKED, STORE, { limits: [], plan: undefined, keyDisabled: false })[0]).toBe('The control plane knows no key zy: the gateway refuses requests with it with 401, and records them without a key.');
    expect(nothingNotes(LOOKED, STORE, { limits: [], plan: 'free', keyDisabled: true })[0]).toBe('The key is disabled now: the gateway refuses requests with it with 401, and records them without a key.');
  });
});
