import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '@branchline/contract';
import type { TypedJson } from '../driver.ts';
import { type Outgoing, outgoing } from './body.ts';
import { extract } from './extraction.ts';
import type { WorkClock } from './fake-clock.ts';
import type { Fault } from './fault.ts';
import { type Heard, post, type Receipt } from './post.ts';
import { computeShapeId } from '../shape-id.ts';

export interface ClientSettings {
  readonly endpoint: string;
  readonly apiKey: string;
  readonly environment: 'dev' | 'staging' | 'prod';
  readonly folder: string;
  readonly batchSize?: number;
  readonly batchFlushSeconds?: number;
  readonly clock: WorkClock;
  readonly fault?: Fault | undefined;
}

export interface QueuedEvent {
  readonly messageId: string;
  readonly eventName: string;
  readonly observedAt: string;
  readonly schema: JsonObject[];
  /** Sent instead of the schema. */
  readonly shapeId?: string;
  /** A value that a client has no business to keep. */
  readonly value?: string | undefined;
}

export interface Batch {
  readonly batchId: string;
  readonly events: readonly QueuedEvent[];
}

interface Kept {
  readonly events: QueuedEvent[];
  readonly pending?: { readonly batchId: string; readonly count: number } | undefined;
}

const MAX_EVENTS = 1_000;
const FIRST_PAUSE_SECONDS = 1;
const MAX_PAUSE_SECONDS = 300;

/** An Inspector library in few lines, correct unless it is given a fault. It knows nothing of what judges it. */
export class Client {
  readonly #settings: ClientSettings;
  readonly #fault: Fault | undefined;
  readonly #size: number;
  readonly #interval: number;
  readonly #startedAt: number;
  #events: QueuedEvent[];
  #pending: Kept['pending'];
  #firstUnsent: number;
  #notBefore = 0;
  #failures = 0;
  #maxEvents = MAX_EVENTS;
  #samplingRate = 1;
  #knownShapes = new Set<string>();
  #sent = 0;
  #isOver = false;
  #isSaving = false;
  #exchange: Promise<void> | undefined;
  #cancel = (): void => {};

  constructor(settings: ClientSettings) {
    const { environment, fault, clock } = settings;
    const isDev = fault === 'batches-in-development' ? false : environment === 'dev';
    const isAtOnce = isDev || (environment === 'staging' && fault === 'staging-as-development');
    const size = fault === 'size-can-not-be-set' ? undefined : settings.batchSize;
    const seconds = fault === 'interval-can-not-be-set' ? undefined : settings.batchFlushSeconds;
    this.#settings = settings;
    this.#fault = fault;
    this.#size = size ?? (isAtOnce ? 1 : defaultSize(settings));
    const never = fault === 'ignores-the-interval' && environment === 'prod';
    this.#interval = (seconds ?? (never ? Infinity : 30)) * 1_000;
    this.#firstUnsent = clock.now();
    this.#startedAt = clock.wall();
    const kept = this.#load();
    this.#events = kept.events;
    this.#pending = kept.pending;
    this.#pump(false);
  }

  async track(eventName: string, properties: TypedJson): Promise<JsonObject[]> {
    const schema = extract(properties);
    const value = /canary[\da-f]{12}/.exec(JSON.stringify(properties))?.[0];
    this.#add(eventName, schema, value);
    if (this.#fault === 'waits-for-the-network') await this.#exchange;
    return schema;
  }

  trackSchema(eventName: string, schema: JsonObject[]): void {
    this.#add(eventName, this.#fault === 'own-schema-lost' ? [] : schema);
  }

  /** Ends at once, and ignores what is still under way. */
  async kill(): Promise<void> {
    this.#isOver = true;
    this.#cancel();
    await this.#exchange;
  }

  #add(eventName: string, schema: JsonObject[], value?: string): void {
    if (Math.random() >= this.#samplingRate) return;
    if (this.#events.length === (this.#pending?.count ?? 0)) this.#firstUnsent = this.#settings.clock.now();
    this.#events.push({
      messageId: crypto.randomUUID(),
      eventName,
      observedAt: this.#observedAt(),
      schema,
      ...(this.#fault?.startsWith('value-') === true ? { value } : {}),
    });
    this.#save();
    this.#pump(true);
  }

  #observedAt(): string {
    const { clock, fault } = this.#settings;
    const at = fault === 'observed-at-the-start' ? this.#startedAt : clock.wall();
    return new Date(fault === 'clock-hours-off' ? at + 7_200_000 : at).toISOString();
  }

  /** Sends if it is time, and otherwise sees to it that it is called when it is. */
  #pump(isTracking: boolean): void {
    this.#cancel();
    if (this.#isOver || this.#exchange !== undefined || this.#events.length === 0) return;
    const at = Math.max(this.#dueAt(isTracking), this.#notBefore);
    const left = at - this.#settings.clock.now();
    if (left <= 0) {
      this.#exchange = this.#send().finally(() => {
        this.#exchange = undefined;
        this.#pump(false);
      });
    } else if (Number.isFinite(left)) this.#cancel = this.#settings.clock.after(left, () => this.#pump(false));
  }

  #dueAt(isTracking: boolean): number {
    if (this.#pending !== undefined || this.#events.length >= this.#size) return 0;
    if (this.#fault === 'looks-at-the-interval-when-tracking' && !isTracking) return Infinity;
    return this.#firstUnsent + this.#interval;
  }

  async #send(): Promise<void> {
    const { fault, environment } = this.#settings;
    this.#pending ??= { batchId: crypto.randomUUID(), count: Math.min(this.#events.length, this.#maxEvents) };
    const { batchId, count } = this.#pending;
    const events = this.#events.slice(0, count).map((event) => this.#withShapeId(event));
    this.#save();
    const isLost = fault === 'loses-an-event' && environment === 'staging' && count > 1;
    const batch = {
      batchId: fault === 'new-batch-ids' ? crypto.randomUUID() : batchId,
      events: isLost ? events.slice(1) : events,
    };
    this.#sent += 1;
    const request = outgoing(batch, this.#sent % 2 === 0, this.#settings, this.#samplingRate);
    const heard = await this.#post(request, fault === 'follows-redirects');
    if (this.#isOver) return;
    if (heard.receipt !== undefined && fault === 'sends-accepted-again' && environment === 'staging') {
      await this.#post(request, false);
    }
    this.#follow(heard, events);
    this.#save();
  }

  #post(request: Outgoing, follows: boolean): Promise<Heard> {
    const { endpoint, clock } = this.#settings;
    return clock.during(post(endpoint, request, { clock, follows }));
  }

  #follow(heard: Heard, sent: readonly QueuedEvent[]): void {
    const count = sent.length;
    const { status, receipt, waitMs } = heard;
    const isHalfEnough = heard.isHalf && this.#fault === 'half-a-receipt-is-enough';
    if (receipt !== undefined || isHalfEnough || this.#givesUp(heard)) {
      const rejected = this.#fault === 'sends-rejected-again' ? (receipt?.rejected ?? []) : [];
      this.#forget(count, [...rejected, ...this.#learnShapes(sent, receipt)]);
      this.#failures = 0;
      this.#maxEvents = MAX_EVENTS;
      if (receipt !== undefined) this.#samplingRate = this.#rate(receipt.samplingRate);
      this.#notBefore = this.#settings.clock.now() + (waitMs ?? 0);
    } else if (status === 413) {
      this.#pending = undefined;
      this.#maxEvents = Math.max(1, Math.floor(count / 2));
    } else if (status === 401 && this.#fault !== 'insists-after-401') {
      this.#isOver = true;
    } else {
      this.#notBefore = this.#settings.clock.now() + Math.max(this.#pause(), this.#obeyed(heard));
      this.#failures += 1;
    }
  }

  #withShapeId(event: QueuedEvent): QueuedEvent {
    const shapeId = computeShapeId(event.eventName, event.schema);
    return this.#knownShapes.has(shapeId) ? { ...event, shapeId } : event;
  }

  /** @returns the places of events whose schemas are asked for */
  #learnShapes(sent: readonly QueuedEvent[], receipt: Receipt | undefined): number[] {
    const { unknownShapeIds, rejected = [] } = receipt ?? {};
    if (unknownShapeIds === undefined) return [];
    for (const [index, { eventName, schema }] of sent.entries()) {
      if (!rejected.includes(index)) this.#knownShapes.add(computeShapeId(eventName, schema));
    }
    for (const id of unknownShapeIds) this.#knownShapes.delete(id);
    if (this.#fault === 'never-sends-the-schema') return [];
    return sent.flatMap(({ shapeId }, index) => (unknownShapeIds.includes(shapeId ?? '') ? [index] : []));
  }

  #rate(asked: number): number {
    if (this.#fault === 'knows-only-all-or-nothing') return Math.ceil(asked);
    return this.#fault === 'ignores-a-rate-of-none' && asked === 0 ? 1 : asked;
  }

  #givesUp({ status, waitMs, isHalf }: Heard): boolean {
    if (this.#fault === 'never-tries-again') return true;
    if (this.#fault === 'tries-only-twice') return this.#failures === 1;
    if (this.#fault === 'gives-up-after-503') return status === 503 && waitMs === undefined;
    if (this.#fault === 'gives-up-after-500') return status === 500;
    if (this.#fault === 'gives-up-after-reset') return status === undefined && !isHalf;
    return this.#fault === 'gives-up-after-413' && status === 413;
  }

  #forget(count: number, again: readonly number[]): void {
    const sent = this.#events.slice(0, count);
    this.#events = [...again.flatMap((index) => sent[index] ?? []), ...this.#events.slice(count)];
    this.#pending = undefined;
    this.#firstUnsent = this.#settings.clock.now();
  }

  #pause(): number {
    if (this.#fault === 'pauses-shrink') return (this.#failures < 2 ? 16 : 1) * 1_000;
    const ceiling = Math.min(MAX_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * 2 ** this.#failures);
    return (0.5 + Math.random() / 2) * ceiling * 1_000;
  }

  #obeyed({ waitMs = 0, isDate }: Heard): number {
    return this.#fault === (isDate ? 'ignores-date' : 'ignores-seconds') ? 0 : waitMs;
  }

  #load(): Kept {
    try {
      return JSON.parse(readFileSync(join(this.#settings.folder, 'queue.json'), 'utf8'));
    } catch {
      return { events: [] };
    }
  }

  /** One write for all that happens in a turn of the event loop. */
  #save(): void {
    if (this.#fault === 'keeps-nothing' || this.#isSaving) return;
    this.#isSaving = true;
    setImmediate(() => {
      this.#isSaving = false;
      const kept: Kept = { events: this.#events, pending: this.#pending };
      if (!this.#isOver) writeFileSync(join(this.#settings.folder, 'queue.json'), JSON.stringify(kept));
    });
  }
}

function defaultSize({ environment, fault }: ClientSettings): number {
  if (environment !== 'prod') return 30;
  if (fault === 'ignores-the-size') return Infinity;
  return fault === 'sends-at-ten' ? 10 : 30;
}
