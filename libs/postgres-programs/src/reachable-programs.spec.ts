import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { canEnter, closedFolder } from './can-enter.js';
import { reachablePrograms } from './reachable-programs.js';

const someone = { uid: 12_345, gid: 12_345 };
const isRoot = process.getuid?.() === 0;

describe('programs that another OS user can run', () => {
  let place: string;
  let programs: string;
  beforeEach(() => {
    place = mkdtempSync('/tmp/sluice-programs-');
    programs = join(place, 'closed', 'native');
    mkdirSync(join(programs, 'bin'), { recursive: true });
    writeFileSync(join(programs, 'bin', 'postgres'), 'it', { mode: 0o755 });
    chmodSync(place, 0o755);
  });
  afterEach(() => rmSync(place, { recursive: true }));

  it('are where npm put them when everybody may enter, and for whoever stays who he is', () => {
    const copyTo = join(place, 'own', 'programs');
    expect(reachablePrograms(programs, someone, copyTo)).toBe(programs);
    chmodSync(join(place, 'closed'), 0o700);
    expect(closedFolder(programs)).toBe(join(place, 'closed'));
    expect(reachablePrograms(programs, undefined, copyTo)).toBe(programs);
    expect(existsSync(copyTo)).toBe(false);
  });

  it('are copied once when a folder above them is closed', () => {
    chmodSync(join(place, 'closed'), 0o700);
    const copyTo = join(place, 'own', 'programs');
    expect(reachablePrograms(programs, someone, copyTo)).toBe(copyTo);
    expect(canEnter(copyTo)).toBe(true);
    expect(readFileSync(join(copyTo, 'bin', 'postgres'), 'utf8')).toBe('it');
    writeFileSync(join(copyTo, 'bin', 'postgres'), 'kept');
    reachablePrograms(programs, someone, copyTo);
    expect(readFileSync(join(copyTo, 'bin', 'postgres'), 'utf8')).toBe('kept');
  });

  // Only root can give a folder away, and only root runs programs as another user.
  (isRoot ? it : it.skip)('are not taken from a place that belongs to somebody else (as root)', () => {
    chmodSync(join(place, 'closed'), 0o700);
    const own = join(place, 'own');
    mkdirSync(join(own, 'programs'), { recursive: true });
    chownSync(own, someone.uid, someone.gid);
    expect(() => reachablePrograms(programs, someone, join(own, 'programs'))).toThrow('belongs to another user');
  });
});
