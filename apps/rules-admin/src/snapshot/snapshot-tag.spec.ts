import { HeldTags, snapshotTag } from './snapshot-tag.js';

const EPOCH = '0123456789ab';
const tags = new HeldTags({ version: 5, epoch: EPOCH });

describe('R54 tags of the snapshot (known failure 77)', () => {
  it('each coding has its own', () => {
    const all = (['identity', 'gzip', 'br'] as const).map((coding) => snapshotTag({ version: 5, epoch: EPOCH }, coding));
    expect(all).toEqual([`s5-${EPOCH}`, `s5.gzip-${EPOCH}`, `s5.br-${EPOCH}`]);
  });

  it.each([
    [`"s5-${EPOCH}"`, `s5-${EPOCH}`],
    [`"s5.br-${EPOCH}"`, `s5.br-${EPOCH}`],
    [`"s5.gzip-${EPOCH}"`, `s5.gzip-${EPOCH}`],
    [`W/"s5.gzip-${EPOCH}"`, `s5.gzip-${EPOCH}`],
    [`"s4-${EPOCH}", "s5.br-${EPOCH}"`, `s5.br-${EPOCH}`],
    ['*', `s5-${EPOCH}`],
    [undefined, undefined],
    ['', undefined],
    [`s5-${EPOCH}`, undefined],
    [`"s5.zstd-${EPOCH}"`, undefined],
    [`"s4-${EPOCH}"`, undefined],
    [`"s6-${EPOCH}"`, undefined],
    [`"s5-ba9876543210"`, undefined],
    [`"s5-${EPOCH}`, undefined],
  ])('%s holds %s', (field, held) => {
    expect(tags.heldBy(field)).toBe(held);
  });

  it('who may be behind takes a newer version of the same life for held, and no other', () => {
    expect(tags.heldBy(`"s6.br-${EPOCH}"`, { orNewer: true })).toBe(`s6.br-${EPOCH}`);
    expect(tags.heldBy(`"s4-${EPOCH}"`, { orNewer: true })).toBeUndefined();
    expect(tags.heldBy('"s6-ba9876543210"', { orNewer: true })).toBeUndefined();
  });

  it.each([
    [`"s4.br-${EPOCH}"`, false],
    [`"s4-ba9876543210", "s3-${EPOCH}"`, false],
    ['"s4-ba9876543210"', true],
    ['"something"', true],
    ['*', false],
    [undefined, false],
    ['not a tag', false],
  ])('%s is of another life: %s', (field, another) => {
    expect(tags.areOfAnotherLife(field)).toBe(another);
  });
});
