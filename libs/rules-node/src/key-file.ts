import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ConfirmedKey } from '@sluice/middleware';
import { replaceFile } from '@sluice/snapshot-client';

/** Of another format nothing is read: the node starts without known keys, as a new one does. */
const FORMAT = 1;
/** More than the keys of a full directory with the longest names that the control plane gives take. */
const MAX_BYTES = 256 * 1024 * 1024;
/** Built in slices, so that no request waits for 100,000 lines. */
const KEYS_A_SLICE = 500;
/** Clocks that were set back by more than this make an age that cannot be known. */
const CLOCK_SKEW_MS = 60_000;
const HASH_SHAPE = /^[0-9a-f]{64}$/;

/**
 * Writes keys by their hash, one line each, between a head with the format and a checksum of all before it. Times are written by the wall
 * clock, since the file outlives the process.
 *
 * @throws Error of the file system
 */
export function writeKeyFile(path: string, keys: readonly ConfirmedKey[]): Promise<void> {
  return replaceFile(path, linesOf(keys, Date.now()));
}

async function* linesOf(keys: readonly ConfirmedKey[], nowMs: number): AsyncGenerator<string> {
  const checksum = createHash('sha256');
  const counted = (text: string): string => {
    checksum.update(text);
    return text;
  };
  yield counted(`${JSON.stringify({ format: FORMAT })}\n`);
  for (let at = 0; at < keys.length; at += KEYS_A_SLICE) {
    const slice = keys.slice(at, at + KEYS_A_SLICE).map((key) => JSON.stringify(lineOf(key, nowMs)));
    yield counted(`${slice.join('\n')}\n`);
    await nextTurn();
  }
  yield `${JSON.stringify({ checksum: checksum.digest('hex') })}\n`;
}

/** The time at which a replaced secret ends comes last, where there is one: a reader of before does not look so far. */
function lineOf({ keyHash, caller, ageMs, validForMs }: ConfirmedKey, nowMs: number): readonly (string | number)[] {
  const line = [keyHash, caller.keyId, caller.tenantId, caller.plan, Math.floor(nowMs - ageMs)];
  return validForMs === undefined ? line : [...line, Math.floor(nowMs + validForMs)];
}

/**
 * Reads what {@link writeKeyFile} wrote.
 *
 * @returns `undefined` when there is no such file
 * @throws Error when it cannot be read, or is not whole and of this format
 */
export async function readKeyFile(path: string): Promise<readonly ConfirmedKey[] | undefined> {
  const text = await readBounded(path);
  if (text === undefined) return undefined;
  const lastLine = text.lastIndexOf('\n', text.length - 2) + 1;
  const [body, end] = [text.slice(0, lastLine), text.slice(lastLine)];
  const [head = '', ...lines] = body.split('\n').slice(0, -1);
  if (fieldOf(parse(head), 'format') !== FORMAT) throw new Error('it is of another format');
  if (fieldOf(parse(end), 'checksum') !== createHash('sha256').update(body).digest('hex')) throw new Error('its checksum is wrong');
  const nowMs = Date.now();
  return lines.map((line) => readKey(parse(line), nowMs));
}

async function readBounded(path: string): Promise<string | undefined> {
  try {
    if ((await stat(path)).size > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES} bytes`);
    return await readFile(path, 'utf8');
  } catch (error) {
    if (typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function readKey(line: unknown, nowMs: number): ConfirmedKey {
  const [keyHash, keyId, tenantId, plan, confirmedAtMs, endsAtMs]: unknown[] = Array.isArray(line) ? line : [];
  const isKey = typeof keyHash === 'string' && HASH_SHAPE.test(keyHash) && typeof keyId === 'string' && typeof tenantId === 'string' && typeof plan === 'string';
  if (!isKey || typeof confirmedAtMs !== 'number' || !Number.isSafeInteger(confirmedAtMs) || (endsAtMs !== undefined && typeof endsAtMs !== 'number')) throw new Error('a line of it is no key');
  const ageMs = nowMs - confirmedAtMs;
  // A time to come proves that a clock was wrong, and not how old the answer is: as old as can be.
  return { keyHash, caller: { keyId, tenantId, plan }, ageMs: ageMs < -CLOCK_SKEW_MS ? Number.POSITIVE_INFINITY : Math.max(0, ageMs), ...(endsAtMs === undefined ? {} : { validForMs: endsAtMs - nowMs }) };
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // The text may be anybody's, so that it is in no message.
    return undefined;
  }
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined;
}
