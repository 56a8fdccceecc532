import { Inject, Injectable } from '@nestjs/common';
import { attributeText, DECISION_KINDS, type DecisionEvent } from '@sluice/events';
import type { FieldFault } from '@sluice/platform';
import type { Caller } from '../../access/caller.js';
import { ownOnly } from '../../access/own-only.js';
import type { DecisionLogConfig } from '../../config/decision-log-config.js';
import { invalid } from '../../input/invalid.js';
import { notFound } from '../../problems/not-found.js';
import type { DecisionFilter } from '../../store/decision-filter.js';
import type { DecisionStore } from '../../store/decision-store.js';
import { CONFIG, STORE } from '../../tokens.js';
import { DEFAULT_WINDOW_MS, type ExplainQuery, MAX_WINDOW_SECONDS, windowMs } from './explain-query.dto.js';
import type { DecisionExplanation } from './explanation.dto.js';
import { explanationJson } from './explanation-json.js';
import { FactFinder } from './fact-finder.js';
import { nearestEvent } from './nearest-event.js';
import { noRefusal, nothingNotes, nothingRecorded } from './nothing-words.js';
import { notesOf } from './notes.js';
import { sentenceOf } from './sentence.js';
import { tenantsFacts } from './tenants-facts.js';

/** Clocks of counters may be ahead of this one. */
const AHEAD_MS = 86_400_000;

/** Says why a request was decided as it was (R82). */
@Injectable()
export class ExplainService {
  constructor(
    @Inject(STORE) private readonly store: DecisionStore,
    @Inject(CONFIG) private readonly config: DecisionLogConfig,
    private readonly finder: FactFinder,
  ) {}

  /** @throws ProblemException 400 for a question that names neither an event nor a key and a time; 404 for an event that is not there, or not the caller's */
  async explain(query: ExplainQuery, caller: Caller): Promise<DecisionExplanation> {
    assertQuestion(query);
    return query.event_id === undefined ? this.byTime(query, caller) : this.byId(query.event_id, query, caller);
  }

  private async byId(eventId: string, query: ExplainQuery, caller: Caller): Promise<DecisionExplanation> {
    const nowMs = Date.now();
    const { at } = query;
    const range = at === undefined ? { fromMs: Math.max(0, nowMs - this.config.retentionMs), toMs: nowMs + AHEAD_MS } : around(Date.parse(at), windowMs(query) ?? DEFAULT_WINDOW_MS);
    const kinds = caller.role === 'tenant' ? (['decision'] as const) : DECISION_KINDS;
    const [event] = await this.store.find(ownOnly(caller, { ...range, kinds, eventId }), 1);
    if (event === undefined) throw notFound(`No event ${eventId} is recorded${at === undefined ? '' : ' in that time'}.`);
    return this.explanation(event, caller, at === undefined ? undefined : Date.parse(at), []);
  }

  private async byTime({ key_id: keyId = '', at = '', endpoint, ...query }: ExplainQuery, caller: Caller): Promise<DecisionExplanation> {
    const atMs = Date.parse(at);
    const range = around(atMs, windowMs(query) ?? DEFAULT_WINDOW_MS);
    const filter = ownOnly(caller, { ...range, kinds: ['decision'], attributes: { key_id: attributeText(keyId), ...(endpoint === undefined ? {} : { endpoint: attributeText(endpoint) }) } });
    const refusal = await nearestEvent(this.store, { ...filter, allowed: false }, atMs);
    if (refusal !== undefined) return this.explanation(refusal, caller, atMs, []);
    const looked = { fromMs: range.fromMs, toMs: range.toMs - 1, keyId, endpoint };
    const nearest = await nearestEvent(this.store, filter, atMs);
    if (nearest !== undefined) return this.explanation(nearest, caller, atMs, [noRefusal(looked)]);
    const notes = caller.role === 'tenant' ? [] : nothingNotes(looked, ...(await Promise.all([this.store.status(), this.finder.keyNow(keyId)])));
    return { found: 'nothing', sentence: nothingRecorded(looked), notes, limits: [], control_plane_answered: true };
  }

  private async explanation(event: DecisionEvent, caller: Caller, atMs: number | undefined, before: readonly string[]): Promise<DecisionExplanation> {
    const forTenant = caller.role === 'tenant';
    const known = await this.finder.factsOf(event, (filter) => ownOnly(caller, filter));
    const facts = forTenant ? tenantsFacts(known) : known;
    return { ...explanationJson(facts, { forTenant, atMs }), sentence: [...before, sentenceOf(facts)].join(' '), notes: notesOf(facts, { forTenant }) };
  }
}

/** How far is looked: `windowMs` before and after, both inclusive. */
function around(atMs: number, window: number): Pick<DecisionFilter, 'fromMs' | 'toMs'> {
  return { fromMs: Math.max(0, atMs - window), toMs: atMs + window + 1 };
}

function assertQuestion(query: ExplainQuery): void {
  const { event_id: eventId, key_id: keyId, at, endpoint } = query;
  const faults: FieldFault[] = [];
  if (eventId === undefined && keyId === undefined) faults.push({ pointer: '/query/key_id', detail: 'must be there, with at; or event_id instead' });
  if (eventId === undefined && at === undefined) faults.push({ pointer: '/query/at', detail: 'must be there, with key_id; or event_id instead' });
  if (eventId !== undefined && keyId !== undefined) faults.push({ pointer: '/query/key_id', detail: 'must be absent beside event_id' });
  if (eventId !== undefined && endpoint !== undefined) faults.push({ pointer: '/query/endpoint', detail: 'must be absent beside event_id' });
  if ((windowMs(query) ?? 0) > MAX_WINDOW_SECONDS * 1_000) faults.push({ pointer: '/query/window_seconds', detail: `must be a whole number from 1 to ${MAX_WINDOW_SECONDS}` });
  if (faults.length > 0) throw invalid(faults);
}
