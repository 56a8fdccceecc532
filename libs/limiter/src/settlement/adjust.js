import { StoreFault } from '../store/store-fault.js';
/** Gives back (`difference` below 0) or charges beyond the limit what each counter was reserved too much or too little; one trip for all. */
export async function adjust(parts, charges, difference) {
    if (difference === 0)
        return charges.map((charge) => ({ charge, answer: 0 }));
    const amount = Math.abs(difference);
    const ours = charges.filter(({ at }) => at === 'fallback');
    const shared = charges.filter(({ at }) => at === 'store');
    const here = ours.map((charge) => ({ charge, answer: adjustHere(parts.fallback, charge, amount, difference < 0) }));
    if (shared.length === 0)
        return here;
    const answers = difference < 0 ? await giveBack(parts, shared, amount) : await addDebt(parts, shared, amount);
    return [...here, ...shared.map((charge, at) => ({ charge, answer: answers[at] ?? unanswered() }))];
}
function adjustHere(fallback, { key, quota, bucket }, amount, back) {
    return back ? fallback.giveBack(key, quota, amount, bucket) : fallback.charge(key, quota, amount).granted;
}
async function giveBack({ refunds, leases }, charges, amount) {
    const answers = await refunds.giveBack(charges.map(({ key, quota, bucket }) => ({ key, quota, bucket, amount })));
    for (const { key } of charges)
        leases.refreshed(key);
    return answers;
}
async function addDebt({ store }, charges, amount) {
    const answers = await store.charge(charges.map(({ key, quota }) => ({ key, quota, amount })));
    return answers.map((answer) => (answer instanceof StoreFault ? answer : answer.granted));
}
function unanswered() {
    return new StoreFault('rejected', 'the store left an entry unanswered');
}
//# sourceMappingURL=adjust.js.map