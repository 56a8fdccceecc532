import type { Redis } from 'ioredis';
/** A second connection to the server of another one, made only to see whether a new one is answered. */
export declare class Scout {
    private readonly redis;
    constructor(connection: Redis);
    /** True when the server greets it in time; it is closed in any case. */
    isGreeted(timeoutMs: number): Promise<boolean>;
    close(): void;
}
