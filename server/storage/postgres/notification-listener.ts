import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { rawStream } from './cancel.ts';
import { GuardedClient } from './guarded-client.ts';

export interface ListenerOptions {
  /** A secret. */
  url: string;
  channel: string;
  /** Notifies the channel over another connection. */
  notify: (payload: string) => Promise<void>;
  notified: (payload: string) => void;
  /** Told once it is known whether notifications come, and whenever that changes. */
  changed: (isListening: boolean) => void;
}

/** How long a connection, an answer and a notification are waited for; in milliseconds. */
const ANSWER_MS = 3_000;

/** How often the connection is tried: one that breaks in silence says nothing by itself. */
const TRIED_EACH_MS = 15_000;

/** How long until the next attempt after one that failed, and after notifications did not come. */
const RETRY_MS = 1_000;
const RETRY_UNHEARD_MS = 600_000;

/**
 * Listens on a connection of its own, for as long as it goes, and begins again when it breaks. A proxy that pools transactions
 * takes the `LISTEN`, but no notification comes: therefore the listener first listens for one of its own.
 */
export class NotificationListener {
  readonly #options: ListenerOptions;
  readonly #stop = new AbortController();
  #client: pg.Client | undefined;
  #isListening: boolean | undefined;
  #ended: Promise<void> = Promise.resolve();

  constructor(options: ListenerOptions) {
    this.#options = options;
  }

  start(): void {
    this.#ended = this.#keepListening();
  }

  async close(): Promise<void> {
    this.#stop.abort();
    if (this.#client !== undefined) rawStream(this.#client).destroy();
    await this.#ended;
  }

  async #keepListening(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const client = new GuardedClient({
        connectionString: this.#options.url,
        application_name: 'branchline live',
        keepAlive: true,
        connectionTimeoutMillis: ANSWER_MS,
        query_timeout: ANSWER_MS,
      });
      this.#client = client;
      const outcome = await this.#listen(client).catch(() => 'broken' as const);
      this.#tell(false);
      await Promise.race([client.end().catch(() => {}), this.#pause(ANSWER_MS)]);
      rawStream(client).destroy();
      await this.#pause(outcome === 'unheard' ? RETRY_UNHEARD_MS : RETRY_MS);
    }
  }

  /** @returns when it can't be listened any more, or no notification comes */
  async #listen(client: pg.Client): Promise<'broken' | 'unheard'> {
    const { channel, notify, notified } = this.#options;
    const own = `#${randomUUID()}`;
    const heardOwn = Promise.withResolvers<true>();
    client.on('notification', ({ payload = '' }) => {
      if (payload === own) heardOwn.resolve(true);
      else if (!payload.startsWith('#')) notified(payload);
    });
    await client.connect();
    await client.query(`listen ${channel}`);
    await notify(own);
    if (!(await Promise.race([heardOwn.promise, this.#pause(ANSWER_MS)]))) return 'unheard';
    this.#tell(true);
    await this.#untilBroken(client);
    return 'broken';
  }

  #tell(isListening: boolean): void {
    if (this.#stop.signal.aborted || isListening === this.#isListening) return;
    this.#isListening = isListening;
    this.#options.changed(isListening);
  }

  async #untilBroken(client: pg.Client): Promise<void> {
    const ended = new Promise<true>((resolve) => client.once('end', () => resolve(true)));
    while (!(await Promise.race([ended, this.#pause(TRIED_EACH_MS)]))) await client.query('select 1');
  }

  /** Ends early when the listener is closed. */
  #pause(milliseconds: number): Promise<false> {
    return delay(milliseconds, false as const, { signal: this.#stop.signal }).catch(() => false);
  }
}
