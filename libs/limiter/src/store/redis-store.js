import { setTimeout as sleep } from 'node:timers/promises';
import { chargeCommand, claimCommand, claimMoveCommand, heartbeatCommand, keySlot, peekCommand, refundCommand, reserveCommand, resetCommand, splitsCommand, takeAllCommand, takeCommand, usageCommand, } from '@sluice/lua-scripts';
import { assertFitClient } from './assert-fit-client.js';
import { Breakers } from './breakers.js';
import { DatabaseGuard } from './database-guard.js';
import { RedisCalls } from './redis-calls.js';
import { redisClient } from './redis-client.js';
import { SilentConnections } from './silent-connections.js';
import { StoreFault } from './store-fault.js';
/** How long a farewell may take, ms. */
const QUIT_MS = 500;
/** Counters in Redis, by one atomic script each; what is asked together goes out together. */
export class RedisStore {
    /** @throws RangeError for a URL that is none, or a client with an option that the scripts cannot work with. */
    constructor({ url, client, timeoutMs = 50, onError = () => undefined, onBreaker = () => undefined, nowMs }) {
        if (client === undefined && url === undefined)
            throw new RangeError('a Redis store needs a url or a client');
        this.client = client ?? redisClient(url ?? '', onError);
        this.owned = client === undefined;
        try {
            assertFitClient(this.client);
        }
        catch (error) {
            // By the query of a URL.
            if (this.owned)
                this.client.disconnect();
            throw error;
        }
        this.database = new DatabaseGuard(this.client);
        this.breakers = new Breakers({ nowMs: () => performance.now(), random: Math.random }, onBreaker);
        this.calls = new RedisCalls(this.client, this.breakers, new SilentConnections(this.client, onError), timeoutMs);
        this.nowMs = nowMs;
    }
    /** Resolves when commands can be sent; rejects when that takes longer than `timeoutMs`, or the database is refused. The client goes on trying. */
    async ready(timeoutMs) {
        if (this.client.status === 'ready')
            return;
        const { client } = this;
        await new Promise((resolve, reject) => {
            const timer = setTimeout(() => settle(() => reject(new StoreFault('unavailable', `Redis did not answer within ${timeoutMs} ms`))), timeoutMs);
            const onReady = () => settle(resolve);
            const settle = (how) => {
                clearTimeout(timer);
                client.off('ready', onReady);
                this.database.watch(() => undefined);
                how();
            };
            client.on('ready', onReady);
            this.database.watch((fault) => settle(() => reject(fault)));
        });
    }
    /** True while commands can be sent. */
    get connected() {
        return this.client.status === 'ready';
    }
    /** `host:port` of each server that failed several times in a row and is left alone, but for a probe now and then (R41). */
    get givenUp() {
        return this.breakers.opened;
    }
    stateOf(key) {
        return this.calls.stateOf(key);
    }
    ask(ask, answered) {
        this.calls.send(this.command(ask), answered, (outcome) => this.returnLate(ask, outcome));
    }
    take(asks) {
        return Promise.all(asks.map((ask) => new Promise((resolve) => this.ask(ask, resolve))));
    }
    async takeAll(asks) {
        const groups = this.client.isCluster ? bySlot(asks) : [asks.map((_ask, at) => at)];
        const answers = [];
        await Promise.all(groups.map(async (group) => {
            const part = await this.takeGroup(group.flatMap((at) => asks[at] ?? []));
            group.forEach((at, position) => (answers[at] = part[position] ?? unanswered()));
        }));
        // A slot that did not answer refuses nothing: what the others granted stands, and the rule says what the missing one means.
        if (groups.length === 1 || !answers.some((answer, at) => isRefused(answer, asks[at])))
            return answers;
        return this.takeBack(asks, answers);
    }
    giveBack(returns) {
        return this.calls.sendAll(returns.map(({ key, quota, amount, bucket }) => refundCommand(key, quota, { amount, bucket }, this.nowMs?.())));
    }
    charge(debits, late) {
        const nowMs = this.nowMs?.();
        const commands = debits.map(({ key, quota, amount, onlyIfAbsent, bucket }) => chargeCommand(key, quota, amount, { onlyIfAbsent, bucket, nowMs }));
        return this.calls.sendAll(commands, (outcome, at) => {
            const debit = debits[at];
            if (debit !== undefined)
                late?.(debit, outcome);
        });
    }
    reserve(key, record, ttlMs) {
        return this.answer(reserveCommand(key, record, ttlMs));
    }
    claim(key, claimant) {
        return this.answer(claimCommand(key, claimant));
    }
    async heartbeat({ key, nodeId, ttlMs, splits }) {
        const nowMs = this.nowMs?.();
        const beat = this.answer(heartbeatCommand(key, nodeId, ttlMs, { nowMs }));
        const heard = splits === undefined ? undefined : await this.answer(splitsCommand(splits.key, splits.proposals, { ...splits, nowMs }));
        const answer = await beat;
        if (answer instanceof StoreFault || heard === undefined || heard instanceof StoreFault)
            return answer;
        return { ...answer, splits: { counters: heard.splits, nowMs: heard.nowMs } };
    }
    get spreads() {
        return this.client.isCluster;
    }
    usage(counters) {
        const nowMs = this.nowMs?.();
        return this.calls.sendAll(counters.map(({ key, quota }) => usageCommand(key, quota, nowMs)));
    }
    claimMove(key, counter, step, nodeId) {
        return this.answer(claimMoveCommand(key, counter, step, nodeId));
    }
    async reset(keys) {
        const answers = await this.calls.sendAll(keys.map((key) => resetCommand(key)));
        const fault = answers.find((answer) => answer instanceof StoreFault);
        // Nobody may take for forgotten what is still counted.
        if (fault !== undefined)
            throw fault;
    }
    async close() {
        if (!this.owned)
            return this.calls.close();
        // A server that hangs does not answer QUIT either.
        if (this.connected)
            await Promise.race([this.client.quit().catch(() => undefined), sleep(QUIT_MS, undefined, { ref: false })]);
        this.client.disconnect();
        this.calls.close();
    }
    answer(command) {
        return new Promise((resolve) => this.calls.send(command, resolve));
    }
    command({ key, quota, need, want, backAmount, backBucket }) {
        const nowMs = this.nowMs?.();
        if (want === 0)
            return peekCommand(key, quota, need, { nowMs });
        const giveBack = backAmount > 0 ? { amount: backAmount, bucket: backBucket } : undefined;
        return takeCommand(key, quota, need, want, { giveBack, nowMs });
    }
    async takeGroup(asks) {
        const answer = await new Promise((resolve) => {
            this.calls.send(takeAllCommand(asks, this.nowMs?.()), resolve, (outcomes) => {
                asks.forEach((ask, at) => this.returnLate(ask, outcomes[at]));
            });
        });
        return answer instanceof StoreFault ? asks.map(() => answer) : answer;
    }
    /** What is granted after its time was given to nobody, so it goes back: a store that is slow or hung loses nothing for good. */
    returnLate({ key, quota }, outcome) {
        if (outcome === undefined || outcome.granted === 0)
            return;
        this.calls.post(refundCommand(key, quota, { amount: outcome.granted, bucket: outcome.bucket }, this.nowMs?.()));
    }
    /** Another slot of the request refused: what this one charged goes back, and the answers say that nothing was charged. */
    async takeBack(asks, answers) {
        const granted = asks.flatMap(({ key, quota }, at) => {
            const answer = answers[at];
            if (answer === undefined || answer instanceof StoreFault || answer.granted === 0)
                return [];
            return [{ key, quota, amount: answer.granted, bucket: answer.bucket }];
        });
        await this.giveBack(granted);
        return answers.map((answer) => answer instanceof StoreFault || answer.granted === 0 ? answer : { ...answer, granted: 0, remaining: answer.remaining + answer.granted, retryMs: 0 });
    }
}
/** Positions of the asks by the cluster slot of their keys. */
function bySlot(asks) {
    const groups = new Map();
    asks.forEach(({ key }, at) => {
        const slot = keySlot(key);
        const group = groups.get(slot);
        if (group === undefined)
            groups.set(slot, [at]);
        else
            group.push(at);
    });
    return [...groups.values()];
}
function isRefused(answer, ask) {
    return !(answer instanceof StoreFault) && ask !== undefined && answer.granted < ask.need;
}
function unanswered() {
    return new StoreFault('rejected', 'the store left an ask unanswered');
}
/** Counters in Redis or a Redis Cluster (see {@link RedisStore}). */
export function redisStore(options) {
    return new RedisStore(options);
}
//# sourceMappingURL=redis-store.js.map