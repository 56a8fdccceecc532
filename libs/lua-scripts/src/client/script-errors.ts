/** The server does not know the script: it was restarted, flushed, or is new in the cluster. Nothing has run. */
export function isNoScript(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('NOSCRIPT');
}

/** Another node has the slot, or none has just now. Nothing has run. */
export function isRedirection(error: unknown): boolean {
  return error instanceof Error && /^(MOVED|ASK|TRYAGAIN|CLUSTERDOWN)\b/.test(error.message);
}

/** The server is well and only these keys cannot be served, or not just now: it says nothing about the other keys. */
export function isAboutKeys(error: unknown): boolean {
  return error instanceof Error && (/^(TRYAGAIN|WRONGTYPE|CROSSSLOT|Too many Cluster redirections)\b/.test(error.message) || SCRIPT_STUMBLED.test(error.message));
}

/**
 * A script met what it could not read, as Redis 7 and 6.2 say it. A command that the server refused inside a script (no memory, no permission) is told
 * in other words: 7 passes its error on, 6.2 names the place as `@user_script: 1: -OOM …`.
 */
const SCRIPT_STUMBLED = /^ERR (?:Error running script \(call to \w+\): @\w+: ?\d+: )?user_script: ?\d+: (?!-)/;
