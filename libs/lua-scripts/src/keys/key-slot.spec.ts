import { keySlot } from './key-slot.js';

describe('keySlot', () => {
  it.each([
    ['123456789', 0x31c3],
    ['foo', 12182],
    ['{user1000}.following', 3443],
    ['{user1000}.followers', 3443],
  ])('%s: as the cluster specification and its servers say', (key, slot) => {
    expect(keySlot(key)).toBe(slot & 16383);
  });

  it('hashes the first tag only, and the whole key when that is empty or open', () => {
    expect(keySlot('foo{bar}{zap}')).toBe(keySlot('bar'));
    expect(keySlot('foo{{bar}}zap')).toBe(keySlot('{bar'));
    expect(keySlot('foo{}{bar}')).not.toBe(keySlot('bar'));
    expect(keySlot('foo{bar')).not.toBe(keySlot('bar'));
  });
});
