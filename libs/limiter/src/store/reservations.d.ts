/** The records of reservations in this process, each handed to one claimant (R14). */
export declare class Reservations {
    private readonly held;
    put(key: string, record: string, ttlMs: number, nowMs: number): void;
    claim(key: string, claimant: string, nowMs: number): string | undefined;
    clear(): void;
}
