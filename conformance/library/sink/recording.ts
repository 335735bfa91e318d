import type { JsonObject } from '@branchline/contract';
import { type CapturedRequest, isAskedFor, type SentEvent } from './captured-request.ts';
import { isReceipt } from './answer.ts';
import type { Clock } from './clock.ts';
import { KnownShapes } from './known-shapes.ts';
import type { CaseOutcome } from './outcome.ts';

/** An event that the app was told to track. */
export interface Tracked {
  readonly eventName: string;
  /** The call began after the one and had returned before the other; milliseconds since 1970. */
  readonly between: readonly [number, number];
  /** The schema that the properties have; left out where the app gave a schema instead of properties. */
  readonly schema?: readonly JsonObject[];
  /** What the driver said went wrong. */
  readonly problem?: string;
}

/** More than any library has cause to send in a phase, or anybody by hand; it bounds the time that judging takes. */
const MAX_REQUESTS = 5_000;
const MAX_BYTES = 33_554_432;

/** Everything that was seen in one phase: what the app tracked, and what came of it. */
export class Recording {
  readonly phase: string;
  readonly environment: string | undefined;
  readonly apiKey: string | undefined;
  readonly requests: CapturedRequest[] = [];
  readonly tracked: Tracked[] = [];
  /** Events that were tracked only to get others sent. */
  readonly reminders = new Set<string>();
  /** What the service knows. */
  readonly knownShapes = new KnownShapes();
  /** Values that the app was given and that must not show up. */
  readonly canaries: string[] = [];
  /** What the phase's script itself could judge, by case. */
  readonly outcomes = new Map<string, CaseOutcome>();
  /** How long it took. */
  milliseconds = 0;
  /** Why the phase came to no end. */
  ending: CaseOutcome | undefined;
  /** Whether everything was taken whenever it came, and time enough was given for it. */
  isComplete = false;
  /** From when on a request that breaks off says nothing of the library: its app was ended. */
  isInterrupted = false;
  readonly #full = Promise.withResolvers<void>();
  #bytes = 0;
  readonly #clock: Clock;
  readonly #started: number;
  #waiting: (() => void)[] = [];

  constructor(clock: Clock, phase: string, environment?: string, apiKey?: string) {
    this.#clock = clock;
    this.#started = clock.now();
    this.phase = phase;
    this.environment = environment;
    this.apiKey = apiKey;
  }

  now(): number {
    return this.#clock.now() - this.#started;
  }

  add(captured: CapturedRequest): void {
    if (this.isFull || (this.isInterrupted && captured.fault === 'broken')) return;
    this.requests.push(captured);
    this.#bytes += captured.body.length + captured.text.length;
    if (this.isFull) this.#full.resolve();
    this.changed();
  }

  /** Whether so much has come that nothing more is written down. */
  get isFull(): boolean {
    return this.requests.length >= MAX_REQUESTS || this.#bytes >= MAX_BYTES;
  }

  /** Settles when it is full. */
  get full(): Promise<void> {
    return this.#full.promise;
  }

  changed(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** Waits until the condition holds, at most so many seconds. @returns whether it does. */
  async until(condition: () => boolean, seconds: number): Promise<boolean> {
    const late = Promise.withResolvers<'late'>();
    const cancel = this.#clock.after(seconds * 1_000, () => late.resolve('late'));
    while (!condition()) {
      if ((await Promise.race([this.#change(), late.promise])) === 'late') break;
    }
    cancel();
    return condition();
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** The attempts to send: requests to the service that carry something, whatever their format. */
  get attempts(): CapturedRequest[] {
    return this.requests.filter(({ where, answer }) => where === 'service' && answer !== undefined);
  }

  /** The events that can be recognized by their names, as most can: no other has the same. */
  get recognizable(): Tracked[] {
    const names = Map.groupBy(this.tracked, ({ eventName }) => eventName);
    return [...names.values()].flatMap((same) => (same.length === 1 ? same : []));
  }

  /** Whether an event has come with a batch that was taken. */
  isDelivered(eventName: string): boolean {
    return this.attempts.some(
      (captured) =>
        captured.answer !== undefined &&
        isReceipt(captured.answer) &&
        captured.answered !== undefined &&
        captured.text.includes(eventName) &&
        !listEvents(captured).some((event) => event.eventName === eventName && isAskedFor(event, captured)),
    );
  }
}

/** The events of an captured, in order; none where it is no batch. */
export function listEvents({ batch }: CapturedRequest): readonly SentEvent[] {
  return batch?.events ?? [];
}
