import { setTimeout as pause } from 'node:timers/promises';
import { Skipped } from '../case.ts';
import { type Outcome, type Outgoing, type Transport, exchange } from '../http/client.ts';
import { openTransport } from '../http/transport.ts';
import type { Exchange } from '../result.ts';
import { AdaptiveConcurrency } from './adaptive-concurrency.ts';
import { Backoff, isRateLimited } from './backoff.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import { KeyedMutex } from './keyed-mutex.ts';
import { type Pace, createPace } from './pace.ts';

const MAX_BODY_BYTES = 4 * 1_024 * 1_024;
const TIMEOUT_MS = 10_000;
/** An exchange is slow when it takes more than this part of its time limit. */
const SLOW = 0.25;

/** Why a case was skipped that met nothing but 429. */
export const ALWAYS_LIMITED = 'The service answered 429 (too many requests) each time.';

/** A request of a case. */
export interface PlannedRequest {
  readonly method?: string;
  /** After the base URL. */
  readonly path: string;
  /** Who calls which operation, for pace and estimate: `first create`. */
  readonly lane: string;
  readonly headers?: readonly [string, string][];
  readonly body?: string | Uint8Array;
  /** The body goes out in two parts, with a pause between. */
  readonly isInParts?: boolean | undefined;
  /** Accepts the answer to a request that came too fast, instead of trying again. */
  readonly impatient?: boolean;
  /** Goes out at once: its place in the lane was reserved before. */
  readonly unpaced?: boolean;
  /** Keeps connections for some requests, instead of the transport of the run. */
  readonly transport?: Transport;
}

export interface SenderOptions {
  readonly baseUrl: string;
  /** What runs. Defaults to the suite. */
  readonly userAgent?: string;
  /** Sent with each request, unless its case says otherwise. */
  readonly headers?: readonly [string, string][];
  /** Makes an exchange fit for a report. */
  readonly record: (outgoing: Outgoing, outcome: Outcome) => Exchange;
  /** Defaults to as fast as the service answers. */
  readonly pace?: Pace;
  /** For one exchange. Defaults to 10 seconds. */
  readonly timeoutMs?: number | undefined;
  /** Exchanges under way at once. Defaults to 8. */
  readonly concurrency?: number;
  /** The most bytes that a body of an operation may have. Defaults to 4 MiB. */
  readonly maxBodyBytes?: (operation: string) => number;
  /** Left out: HTTP/1.1, each exchange on a connection of its own, so that none can spoil another. */
  readonly transport?: Transport;
  /** Ends the exchanges that are under way. */
  readonly signal?: AbortSignal | undefined;
}

/** Sends the requests of a run: each lane at its pace, and no more at once than the service can bear. */
export class Sender {
  readonly #options: SenderOptions;
  readonly #baseUrl: string;
  readonly #timeoutMs: number;
  readonly #pace: Pace;
  readonly #concurrency: AdaptiveConcurrency;
  readonly #circuitBreaker = new CircuitBreaker();
  readonly #backoff = new Backoff();
  readonly #limitedLanes = new Set<string>();
  readonly #lanes = new KeyedMutex();
  readonly #transport: Transport;
  #requests = 0;
  #hasConnected = false;

  constructor(options: SenderOptions) {
    const { baseUrl, timeoutMs = TIMEOUT_MS, pace = createPace(undefined), concurrency } = options;
    this.#transport = options.transport ?? openTransport();
    this.#options = options;
    this.#baseUrl = baseUrl.replace(/\/+$/, '');
    this.#timeoutMs = timeoutMs;
    this.#pace = pace;
    this.#concurrency = new AdaptiveConcurrency(timeoutMs * SLOW, concurrency);
  }

  /** How many were sent. */
  get requests(): number {
    return this.#requests;
  }

  /** Whether anything listened at the address at any time. */
  get hasConnected(): boolean {
    return this.#hasConnected;
  }

  /** Waits until a request of each of these lanes may go out, all at once. */
  async reserve(lanes: readonly string[]): Promise<void> {
    await Promise.all(lanes.map(this.#pace));
  }

  /** Never throws for what a service does, except {@link Skipped} where it answers or serves nobody. */
  async send(planned: PlannedRequest): Promise<{ exchange: Exchange; outcome: Outcome }> {
    const outgoing: Outgoing = {
      method: planned.method ?? 'GET',
      url: this.#baseUrl + planned.path,
      headers: withDefaults(planned.headers ?? [], this.#options),
      ...(planned.body === undefined ? {} : { body: planned.body }),
      isInParts: planned.isInParts,
    };
    const outcome = await (planned.impatient === true
      ? this.#sendOnce(outgoing, planned)
      : this.#sendPatiently(outgoing, planned));
    const operation = operationIn(planned.lane);
    return { exchange: { operation, ...this.#options.record(outgoing, outcome) }, outcome };
  }

  /** The requests of a lane that was limited go one at a time: otherwise each would take the place of another. */
  async #sendPatiently(outgoing: Outgoing, planned: PlannedRequest): Promise<Outcome> {
    const { lane } = planned;
    if (!this.#limitedLanes.has(lane)) {
      const outcome = await this.#sendOnce(outgoing, planned);
      if (!isRateLimited(outcome)) return outcome;
      this.#limitedLanes.add(lane);
    }
    return this.#lanes.run(lane, async () => {
      for (let tries = 1; ; tries += 1) {
        const outcome = await this.#sendOnce(outgoing, { ...planned, unpaced: false });
        if (!isRateLimited(outcome)) return outcome;
        const waitMs = this.#backoff.chooseWaitMs(lane, operationIn(lane), outcome, tries);
        if (waitMs !== undefined) await pause(waitMs);
        else if (outcome.answer?.status === 429) throw new Skipped(ALWAYS_LIMITED);
        else return outcome;
      }
    });
  }

  async #sendOnce(
    outgoing: Outgoing,
    { lane, unpaced, transport = this.#transport }: PlannedRequest,
  ): Promise<Outcome> {
    const operation = operationIn(lane);
    if (unpaced !== true) await this.#pace(lane);
    const sendNow = async (): Promise<Outcome> => {
      if (this.#circuitBreaker.isOpen(operation)) {
        throw new Skipped('Not sent: the service leaves requests to this operation without an answer.');
      }
      this.#requests += 1;
      const { maxBodyBytes = () => MAX_BODY_BYTES, signal } = this.#options;
      const startedAt = new Date();
      const outcome = await exchange(
        outgoing,
        { timeoutMs: this.#timeoutMs, maxBodyBytes: maxBodyBytes(operation) },
        transport,
        signal,
      );
      this.#hasConnected ||= outcome.unreachable !== true;
      this.#circuitBreaker.record(operation, outcome.problem === undefined);
      this.#backoff.record(operation, outcome);
      return { ...outcome, startedAt };
    };
    return unpaced === true ? sendNow() : this.#concurrency.run(sendNow);
  }
}

const SUITE = 'branchline-conformance';

const DEFAULT_HEADERS: readonly [string, string][] = [
  ['accept', '*/*'],
  ['accept-encoding', 'identity'],
];

function withDefaults(
  headers: readonly [string, string][],
  { headers: always = [], userAgent = SUITE }: Pick<SenderOptions, 'headers' | 'userAgent'>,
): [string, string][] {
  const without = (some: readonly [string, string][], others: readonly [string, string][]): [string, string][] => {
    const names = new Set(others.map(([name]) => name.toLowerCase()));
    return some.filter(([name]) => !names.has(name.toLowerCase()));
  };
  const defaults: [string, string][] = [['user-agent', userAgent], ...DEFAULT_HEADERS];
  return [...without(defaults, [...always, ...headers]), ...without(always, headers), ...headers];
}

/** The operation `create` of the lane `first create`. */
function operationIn(lane: string): string {
  return lane.slice(lane.lastIndexOf(' ') + 1);
}
