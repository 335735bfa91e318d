import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '@branchline/contract';
import type { CapturedRequest } from './captured-request.ts';
import { type CanaryEvent, createCanaryEvent } from './canaries.ts';
import type { Clock } from './clock.ts';
import { CouldNotRun } from '../../could-not-run.ts';
import { type Driver, DriverFailed, type Reply, type StartDriver, type TypedJson } from './driver.ts';
import { type Listener, type Script, listen } from './listener.ts';
import { Recording } from './recording.ts';
import { BATCH_SIZE, FLUSH_SECONDS, RETRY_WAIT_SECONDS, TIMING } from './timing.ts';
import type { CaseOutcome } from './outcome.ts';

export type Environment = 'dev' | 'staging' | 'prod';

/** What the app sets before it tracks. */
export interface Settings {
  readonly batchSize?: number;
  readonly batchFlushSeconds?: number;
}

/** What all phases of a run have in common. */
export interface Means {
  readonly startDriver: StartDriver;
  readonly clock: Clock;
  readonly apiKey: string;
  /** How long a try after the first is waited for. Defaults to {@link RETRY_WAIT_SECONDS}. */
  readonly retryWaitSeconds?: number | undefined;
  /** Called when the library has been waited for a while, with what is waited for, and for how long at most. */
  readonly onWait?: ((phase: string, what: string, seconds: number) => void) | undefined;
}

/** Ends a phase that the driver has no means for. */
export class PhaseSkipped extends Error {}

/** One phase under way: an app with the library in it, and the service that is played for it. */
export class PhaseRun {
  readonly recording: Recording;
  /** Answers that are held back go out when this is resolved. */
  readonly release = Promise.withResolvers<void>();
  readonly #clock: Clock;
  readonly #environment: Environment;
  readonly #apiKey: string;
  readonly #startDriver: StartDriver;
  /** How long a try after the first is waited for. */
  readonly retryWaitSeconds: number;
  readonly #onWait: NonNullable<Means['onWait']>;
  #driver: Driver | undefined;
  #listener: Listener | undefined;
  #folder = '';
  #starts = 0;

  constructor(phase: string, environment: Environment, means: Means) {
    const { startDriver, clock, apiKey } = means;
    this.retryWaitSeconds = means.retryWaitSeconds ?? RETRY_WAIT_SECONDS;
    this.#onWait = means.onWait ?? (() => {});
    this.recording = new Recording(clock, phase, environment, apiKey);
    this.#environment = environment;
    this.#startDriver = startDriver;
    this.#clock = clock;
    this.#apiKey = apiKey;
  }

  /** Opens the service; the answers are those of the script. */
  async open(script: Script): Promise<void> {
    this.#folder = await mkdtemp(join(tmpdir(), 'branchline-sink-'));
    this.#listener = await listen(this.recording, { script, clock: this.#clock });
  }

  async close(): Promise<void> {
    this.recording.isInterrupted = true;
    await this.#driver?.stop();
    await this.#listener?.close();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /**
   * Starts the app: again in the folder that it had, should it have been killed.
   *
   * @throws CouldNotRun where the driver can't start the library at all.
   * @throws PhaseSkipped where it can't start it like this.
   */
  async start(settings: Settings = {}): Promise<void> {
    this.#driver = this.#startDriver();
    this.#starts += 1;
    const reply = await this.ask({
      do: 'start',
      endpoint: this.#listener?.endpoint ?? '',
      apiKey: this.#apiKey,
      environment: this.#environment,
      folder: this.#folder,
      ...settings,
    }).catch((error: unknown) => {
      throw error instanceof DriverFailed && !this.isStartedAgain ? new CouldNotRun(error.message) : error;
    });
    if (reply.ok) return;
    if ('unsupported' in reply) throw new PhaseSkipped(`The driver can not do it: ${reply.unsupported}`);
    const sentence = `The driver could not start the library: ${reply.error}`;
    throw this.isStartedAgain ? new DriverFailed(sentence) : new CouldNotRun(sentence);
  }

  get isStartedAgain(): boolean {
    return this.#starts > 1;
  }

  async kill(): Promise<void> {
    this.recording.isInterrupted = true;
    await this.#driver?.kill();
  }

  ask(request: Parameters<Driver['ask']>[0]): Promise<Reply> {
    if (this.#driver === undefined) throw new Error('The phase has not started its driver.');
    return this.#driver.ask(request);
  }

  /** Has the app track so many events, each with values that must not leave it. */
  async track(count: number): Promise<void> {
    for (let left = count; left > 0; left -= 1) await this.trackEvent(createCanaryEvent());
  }

  /** Has the app track so many events of one name. @returns the name */
  async trackSame(count: number, eventName = this.#nextName()): Promise<string> {
    for (let left = count; left > 0; left -= 1) await this.trackEvent(createCanaryEvent(), eventName);
    return eventName;
  }

  async trackEvent({ properties, schema, canaries }: CanaryEvent, eventName = this.#nextName()): Promise<Reply> {
    this.recording.canaries.push(...canaries);
    const from = this.#clock.wall();
    const reply = await this.ask({ do: 'track', eventName, properties });
    const problem = reply.ok ? undefined : 'error' in reply ? reply.error : reply.unsupported;
    const between: [number, number] = [from, this.#clock.wall()];
    this.recording.tracked.push({ eventName, between, schema, ...(problem === undefined ? {} : { problem }) });
    return reply;
  }

  /** Has the app report a schema that it made itself. */
  async trackSchema(schema: JsonObject[]): Promise<{ eventName: string; reply: Reply }> {
    const eventName = this.#nextName();
    const from = this.#clock.wall();
    const reply = await this.ask({ do: 'trackSchema', eventName, schema });
    if (reply.ok) this.recording.tracked.push({ eventName, between: [from, this.#clock.wall()] });
    return { eventName, reply };
  }

  async extract(id: string, input: TypedJson): Promise<Reply> {
    return this.ask({ do: 'extract', id, input });
  }

  #nextName(): string {
    return `Sink ${this.recording.phase} ${String(this.recording.tracked.length + 1).padStart(4, '0')}`;
  }

  judge(id: string, verdict: CaseOutcome): void {
    this.recording.outcomes.set(id, verdict);
  }

  get attempts(): readonly CapturedRequest[] {
    return this.recording.attempts;
  }

  /** Waits for attempts, until there are so many in all. */
  attempted(count: number, seconds: number): Promise<boolean> {
    return this.recording.until(() => this.attempts.length >= count, seconds);
  }

  /** Waits for the first attempts, which come by the batch size or at the latest by the flush interval; and for what is answered. */
  async answered(count: number, seconds = FLUSH_SECONDS + TIMING.margin): Promise<boolean> {
    const isAnswered = (): boolean => this.attempts.filter(({ answered }) => answered !== undefined).length >= count;
    return this.recording.until(isAnswered, seconds);
  }

  /**
   * Waits until so many attempts have been answered after a failure: the second for as long as a first pause may be, after
   * what the service asked for.
   */
  async triedAgain(tries: number, askedSeconds = 0): Promise<boolean> {
    const seconds = tries === 2 ? askedSeconds + TIMING.firstRetry : this.retryWaitSeconds;
    return this.#telling('the library to try again', seconds, this.answered(tries, seconds));
  }

  /** Waits until all has come after a failure: for the second attempt, and then for what is left. */
  async cameAgain(askedSeconds = 0): Promise<boolean> {
    return this.delivered((await this.triedAgain(2, askedSeconds)) ? undefined : TIMING.prompt);
  }

  async #telling<T>(what: string, seconds: number, work: Promise<T>): Promise<T> {
    const tell = (): void => this.#onWait(this.recording.phase, what, seconds);
    const cancel = this.#clock.after(TIMING.told * 1_000, tell);
    try {
      return await work;
    } finally {
      cancel();
    }
  }

  /** Whether no attempt comes for some time. */
  async isQuiet(seconds = TIMING.quiet): Promise<boolean> {
    const before = this.attempts.length;
    return !(await this.attempted(before + 1, seconds));
  }

  wait(seconds: number): Promise<void> {
    return new Promise((resolve) => void this.#clock.after(seconds * 1_000, resolve));
  }

  /** Gives the library time to notice what it was answered. */
  settle(): Promise<void> {
    return this.wait(TIMING.settling);
  }

  /** Whether something is done within some time. */
  async isDoneWithin(work: Promise<unknown>, seconds: number): Promise<boolean> {
    const late = Promise.withResolvers<boolean>();
    const cancel = this.#clock.after(seconds * 1_000, () => late.resolve(false));
    try {
      return await Promise.race([work.then(() => true), late.promise]);
    } finally {
      cancel();
    }
  }

  /**
   * Waits until all that was tracked has come. A library that does not look at its interval by itself is helped, when
   * that has passed, by as many events as make a batch.
   */
  async delivered(seconds = FLUSH_SECONDS + TIMING.margin): Promise<boolean> {
    return this.#telling('the events that have not come', seconds, this.#areDelivered(seconds));
  }

  async #areDelivered(seconds: number): Promise<boolean> {
    const { margin, prompt } = TIMING;
    const due = [...this.recording.tracked];
    const areAll = (): boolean => due.every(({ eventName }) => this.recording.isDelivered(eventName));
    const interval = Math.min(seconds, FLUSH_SECONDS + margin);
    if (await this.recording.until(areAll, interval)) return true;
    await this.track(BATCH_SIZE);
    for (const { eventName } of this.recording.tracked.slice(due.length)) this.recording.reminders.add(eventName);
    return this.recording.until(areAll, Math.max(prompt, seconds - interval));
  }
}
