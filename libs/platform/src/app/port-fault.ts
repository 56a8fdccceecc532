import { StartError } from './start-error.js';

/** A port to listen on, and the variable that chooses it. */
export interface WantedPort {
  readonly variable: string;
  readonly host: string;
  /** 0: any. */
  readonly port: number;
}

/** Why a port cannot be had, and what to do about it; in one line. */
export function portFault({ variable, host, port }: WantedPort, code: unknown): string {
  const why = code === 'EADDRINUSE' ? 'is taken: stop what listens there (is Sluice running already?), or' : `cannot be had (${String(code)}):`;
  return `port ${port} on ${host} ${why} choose another by ${variable}`;
}

/** Of the errors of `listen`, those that whoever starts a process can do something about. */
const CODES: ReadonlySet<unknown> = new Set(['EADDRINUSE', 'EADDRNOTAVAIL', 'EACCES', 'ENOTFOUND']);

/** What `listen` rejects with, as a start error where the port or the address is what is wrong. */
export function listenFault(wanted: WantedPort, error: unknown): unknown {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return CODES.has(code) ? new StartError(portFault(wanted, code)) : error;
}
