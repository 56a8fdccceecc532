/**
 * Preloaded into every app of the stack. Its standard input is a pipe from the stack, which closes however the stack ends, by
 * kill -9 too; then the app stops as on SIGTERM. Without this it would go on alone, and hold the default ports.
 */
process.stdin.on('end', () => process.kill(process.pid, 'SIGTERM'));
process.stdin.resume();
process.stdin.unref();
