import { Announced } from './announced.js';

describe('R55 versions that pushes announce', () => {
  it('are news once, above the one in force, in any order', () => {
    const announced = new Announced();
    expect([9, 7, 9, 7, 5, 4, 0, -1, 7.5, Number.NaN, Infinity].map((version) => announced.add(version, 5))).toEqual([true, true, ...Array<boolean>(9).fill(false)]);
  });

  it('are looked for until one as high is in force, or they are given up', () => {
    const announced = new Announced();
    announced.add(9, 5);
    announced.add(7, 5);
    expect([5, 7, 8, 9].map((inForce) => announced.isBeyond(inForce))).toEqual([true, true, true, false]);
    expect(announced.add(10, 9)).toBe(true);
    announced.forget();
    expect(announced.isBeyond(9)).toBe(false);
    expect(announced.add(10, 9)).toBe(true);
  });

  it('take no more room than so many, whatever is announced', () => {
    const announced = new Announced();
    const added = (): number => Array.from({ length: 200 }, (_, at) => announced.add(1_000 + at, 5)).filter(Boolean).length;
    expect([added(), added()]).toEqual([200, 200]);
    expect(Array.from({ length: 64 }, (_, at) => announced.add(1_199 - at, 5))).not.toContain(true);
  });
});
