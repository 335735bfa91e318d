import { setTimeout as pause } from 'node:timers/promises';
import type { Exchange } from '../result.ts';
import { Skipped } from '../case.ts';
import { type Outcome, type Outgoing, exchange } from '../http/client.ts';
import { Flow } from './adaptive-concurrency.ts';
import { Limits, isLimited } from './backoff.ts';
import type { SuiteOptions } from '../../service/options.ts';
import { type Pace, evenPace } from './pace.ts';
import type { Recorder } from '../redact/recorder.ts';
import { Silence } from './circuit-breaker.ts';
import { Turns } from './keyed-mutex.ts';

const MIB = 1_024 * 1_024;
/** How large an export may be is not shown; no other answer has a reason to be large. */
const MAX_EXPORT_BYTES = 64 * MIB;
const MAX_BODY_BYTES = 4 * MIB;
const TIMEOUT_MS = 10_000;
/** An exchange that takes more of its time than this is slow. */
const SLOW = 0.25;

/** A request of a case. */
export interface Sent {
  readonly method?: string;
  /** After the base URL. */
  readonly path: string;
  /** For pace and estimate: who and what, say `first create`. */
  readonly lane: string;
  readonly headers?: readonly [string, string][];
  readonly body?: string | Uint8Array;
  /** Takes the answer to what came too fast for an answer like any other, instead of trying again. */
  readonly impatient?: boolean;
  /** Goes out at once: its place in the lane was taken before. */
  readonly unpaced?: boolean;
}

/** Sends the requests of a run: each lane at its pace, and not more at once than the service can bear. */
export class Sender {
  readonly #baseUrl: string;
  readonly #timeoutMs: number;
  readonly #pace: Pace;
  readonly #flow: Flow;
  readonly #record: Recorder;
  readonly #silence = new Silence();
  readonly #limits = new Limits();
  readonly #limitedLanes = new Set<string>();
  readonly #turns = new Turns();
  #requests = 0;

  constructor({ baseUrl, rate, timeoutMs = TIMEOUT_MS }: SuiteOptions, record: Recorder) {
    this.#baseUrl = baseUrl.replace(/\/+$/, '');
    this.#timeoutMs = timeoutMs;
    this.#pace = evenPace(rate);
    this.#flow = new Flow(timeoutMs * SLOW);
    this.#record = record;
  }

  /** How many were sent. */
  get requests(): number {
    return this.#requests;
  }

  /** Waits until a request of each of these lanes may go out, all at once. */
  async reserve(lanes: readonly string[]): Promise<void> {
    await Promise.all(lanes.map(this.#pace));
  }

  /** Never throws for what a service does, but {@link Skipped} where it serves nobody. */
  async send(sent: Sent): Promise<{ exchange: Exchange; outcome: Outcome }> {
    const outgoing: Outgoing = {
      method: sent.method ?? 'GET',
      url: this.#baseUrl + sent.path,
      headers: [
        ['user-agent', 'branchline-conformance'],
        ['accept', '*/*'],
        ['accept-encoding', 'identity'],
        ...(sent.headers ?? []),
      ],
      ...(sent.body === undefined ? {} : { body: sent.body }),
    };
    const outcome = await (sent.impatient === true ? this.#once(outgoing, sent) : this.#patiently(outgoing, sent));
    return { exchange: this.#record(outgoing, outcome), outcome };
  }

  /** Once a lane was limited, its requests go one at a time: else each would take the place of another. */
  async #patiently(outgoing: Outgoing, sent: Sent): Promise<Outcome> {
    const { lane } = sent;
    if (!this.#limitedLanes.has(lane)) {
      const outcome = await this.#once(outgoing, sent);
      if (!isLimited(outcome)) return outcome;
      this.#limitedLanes.add(lane);
    }
    return this.#turns.alone(lane, async () => {
      for (let tries = 1; ; tries += 1) {
        const outcome = await this.#once(outgoing, { ...sent, unpaced: false });
        if (!isLimited(outcome)) return outcome;
        const waitMs = this.#limits.waitMs(lane, operationOf(lane), outcome, tries);
        if (waitMs !== undefined) await pause(waitMs);
        else if (outcome.answer?.status === 429)
          throw new Skipped('The service answered 429 (too many requests) each time.');
        else return outcome;
      }
    });
  }

  async #once(outgoing: Outgoing, { lane, unpaced }: Sent): Promise<Outcome> {
    const operation = operationOf(lane);
    if (unpaced !== true) await this.#pace(lane);
    const maxBodyBytes = operation === 'export' ? MAX_EXPORT_BYTES : MAX_BODY_BYTES;
    const exchanged = async (): Promise<Outcome> => {
      if (this.#silence.isGivenUp(operation)) {
        throw new Skipped('Not sent: the service leaves requests to this operation without an answer.');
      }
      this.#requests += 1;
      const outcome = await exchange(outgoing, { timeoutMs: this.#timeoutMs, maxBodyBytes });
      this.#silence.note(operation, outcome.problem === undefined);
      this.#limits.note(operation, outcome);
      return outcome;
    };
    return unpaced === true ? exchanged() : this.#flow.through(exchanged);
  }
}

/** Of `first create` it is `create`. */
function operationOf(lane: string): string {
  return lane.slice(lane.lastIndexOf(' ') + 1);
}
