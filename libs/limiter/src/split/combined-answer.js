import { keyOf } from '../counter-name.js';
import { StoreFault } from '../store/store-fault.js';
/** What has to be read of a counter that a cursor stands on, and holds nothing: it is asked every time. */
export function partsToRead({ split, values }, { key, quota }) {
    if (split === undefined)
        return [{ key, quota, held: 0 }];
    return split.split.shards.map((terms) => ({ key: keyOf(terms, values), quota: terms.quota, held: 0 }));
}
/**
 * What a counter answers to a cost, from the answers of its parts to it: their sum; that it refuses when no single part has enough, as a request would
 * find. A fault where one of them has not answered.
 */
export function combinedAnswer(parts, answers, cost) {
    const heard = answers.filter((answer) => !(answer instanceof StoreFault));
    const [first] = heard;
    if (first === undefined || heard.length < parts.length) {
        return answers.find((answer) => answer instanceof StoreFault) ?? new StoreFault('rejected', 'the store left an ask unanswered');
    }
    const left = heard.map(({ remaining }, at) => remaining + (parts[at]?.held ?? 0));
    const sum = left.reduce((all, each) => all + each, 0);
    return {
        ...first,
        remaining: left.some((each) => each >= cost) ? sum : Math.min(sum, cost - 1),
        retryMs: Math.min(...heard.map(({ retryMs }) => retryMs)),
        resetMs: Math.max(...heard.map(({ resetMs }) => resetMs)),
    };
}
//# sourceMappingURL=combined-answer.js.map