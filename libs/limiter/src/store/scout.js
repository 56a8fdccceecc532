/** How long a farewell may take before the socket is closed, ms. */
const FAREWELL_MS = 50;
/** A second connection to the server of another one, made only to see whether a new one is answered. */
export class Scout {
    constructor(connection) {
        this.redis = connection.duplicate({ lazyConnect: true, retryStrategy: () => null, disconnectTimeout: FAREWELL_MS });
        // Why it fails is told by the calls.
        this.redis.on('error', () => undefined);
    }
    /** True when the server greets it in time; it is closed in any case. */
    async isGreeted(timeoutMs) {
        const timer = setTimeout(() => this.close(), timeoutMs);
        try {
            await this.redis.connect();
            return true;
        }
        catch {
            return false;
        }
        finally {
            clearTimeout(timer);
            this.close();
        }
    }
    close() {
        this.redis.disconnect();
    }
}
//# sourceMappingURL=scout.js.map