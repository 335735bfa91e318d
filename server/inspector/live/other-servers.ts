import { randomUUID } from 'node:crypto';
import { EVERYONE, type Hearing, type MessageHearer, type Messages } from '../../storage/messages.ts';
import type { LiveEvent } from './live-batch.ts';
import { countBatches, type Missing, plus } from './missing.ts';

/** A server that watches says so this often, and is believed for so long; in milliseconds. */
const ANNOUNCED_EACH_MS = 5_000;
const BELIEVED_MS = 15_000;

/** After so long others may have heard nothing for as long as they believe: they may look for messages some seconds later. */
const SURE_MS = 10_000;

/** How long events are collected before they are sent in one message. */
const GATHERED_MS = 100;

/** The maximum collected per workspace at a time; more is only counted. */
const MOST_EVENTS = 50;

export interface OtherServersOptions {
  messages: Messages;
  /** Milliseconds of any clock that only goes forward. */
  now: () => number;
  /** Told of what other servers have taken. */
  told: (workspaceId: string, event: LiveEvent) => void;
  changed: MessageHearer['changed'];
}

/** A server's announcement to all others: the workspaces watched there. */
interface Announcement {
  server: string;
  watched: readonly string[];
}

/** An announcement that was sent: when by our clock it was about to be, and when it was by the shared one. */
interface Said {
  watched: readonly string[];
  from: number;
  sentAt: number;
  /** The workspaces that others may have believed not to be watched any more before, and may not have heard of yet. */
  doubted: readonly string[];
}

interface Gathered {
  events: LiveEvent[];
  missed: Missing;
}

/** The other servers of the database: the workspaces watched there, and the batches they receive. */
export class OtherServers {
  readonly #options: OtherServersOptions;
  readonly #self = randomUUID();
  readonly #hearing: Hearing;
  readonly #watching = new Map<string, { workspaces: ReadonlySet<string>; until: number }>();
  readonly #gathered = new Map<string, Gathered>();
  #announced: readonly string[] = [];
  #announcedAt = -Infinity;
  #said: Said | undefined;
  #sending: NodeJS.Timeout | undefined;

  constructor(options: OtherServersOptions) {
    this.#options = options;
    this.#hearing = options.messages.hear({
      heard: (workspaceId, text) => {
        if (workspaceId === EVERYONE) this.#believe(text);
        else this.#hearEvents(workspaceId, text);
      },
      // Announcements are repeated.
      lost: (workspaceId) => {
        if (workspaceId !== EVERYONE) options.told(workspaceId, { type: 'missed', batches: null });
      },
      caughtUp: () => this.#forgetSilent(),
      changed: options.changed,
    });
  }

  /** Whether a workspace is watched on another server. */
  watch(workspaceId: string): boolean {
    for (const { workspaces } of this.#watching.values()) if (workspaces.has(workspaceId)) return true;
    return false;
  }

  /** Announces the workspaces watched here: at once if they have changed, and again every few seconds. */
  announce(watched: readonly string[]): void {
    const now = this.#options.now();
    const isNew = watched.length !== this.#announced.length || watched.some((one) => !this.#announced.includes(one));
    const isDue = watched.length > 0 && now - this.#announcedAt >= ANNOUNCED_EACH_MS;
    if (!isNew && !isDue) return;
    if (isNew) this.#hearing.follow(watched);
    this.#announced = watched;
    this.#announcedAt = now;
    void this.#sayWatched(watched);
  }

  /** Tells those who watch the workspace, with what else comes within a moment. */
  tell(workspaceId: string, event: LiveEvent): void {
    const gathered = this.#gathered.get(workspaceId) ?? { events: [], missed: 0 };
    this.#gathered.set(workspaceId, gathered);
    if (gathered.events.length < MOST_EVENTS) gathered.events.push(event);
    else gathered.missed = plus(gathered.missed, countBatches(event));
    this.#sending ??= setTimeout(() => void this.#send(), GATHERED_MS);
  }

  /** Sends everything collected. */
  async close(): Promise<void> {
    clearTimeout(this.#sending);
    this.#watching.clear();
    await this.#send();
    if (this.#announced.length > 0) await this.#sayWatched([]);
    await this.#hearing.close();
  }

  /** Lost announcements are repeated. */
  async #sayWatched(watched: readonly string[]): Promise<void> {
    const announcement: Announcement = { server: this.#self, watched };
    const from = this.#options.now();
    const sentAt = await this.#options.messages.send(EVERYONE, JSON.stringify(announcement)).catch(() => undefined);
    if (sentAt === undefined) return;
    const before = this.#said;
    const cameLate = before !== undefined && silenceSince(before, this.#options.now(), sentAt) >= SURE_MS;
    const doubted = cameLate ? before.watched.filter((workspaceId) => watched.includes(workspaceId)) : [];
    this.#said = { watched, from, sentAt, doubted };
    const unsure = new Set([...doubted, ...(before?.doubted ?? [])]);
    for (const workspaceId of watched)
      if (unsure.has(workspaceId)) this.#options.told(workspaceId, { type: 'missed', batches: null });
  }

  async #send(): Promise<void> {
    const all = [...this.#gathered];
    this.#gathered.clear();
    this.#sending = undefined;
    for (const [workspaceId, { events, missed }] of all) {
      const said: LiveEvent[] = missed === 0 ? events : [...events, { type: 'missed', batches: missed }];
      await this.#options.messages
        .send(workspaceId, JSON.stringify({ server: this.#self, events: said }))
        .catch(() => this.watch(workspaceId) && this.tell(workspaceId, missingEvent(said)));
    }
  }

  #believe(text: string): void {
    const { server, watched } = JSON.parse(text) as Announcement;
    if (server === this.#self) return;
    const until = this.#options.now() + BELIEVED_MS;
    if (watched.length === 0) this.#watching.delete(server);
    else this.#watching.set(server, { workspaces: new Set(watched), until });
  }

  /** Only once all is heard that they may have said: this server may have stood still itself. */
  #forgetSilent(): void {
    const now = this.#options.now();
    for (const [server, { until }] of this.#watching) if (until < now) this.#watching.delete(server);
  }

  #hearEvents(workspaceId: string, text: string): void {
    const { server, events } = JSON.parse(text) as { server: string; events: LiveEvent[] };
    if (server !== this.#self) for (const event of events) this.#options.told(workspaceId, event);
  }
}

/** This server may have been cut off, or have stood still, of which its own clock may know nothing. */
function silenceSince({ from, sentAt }: Said, now: number, sentNow: number): number {
  return Math.max(now - from, sentNow - sentAt);
}

/** Replaces events that could not be sent. */
function missingEvent(events: readonly LiveEvent[]): LiveEvent {
  return { type: 'missed', batches: events.map(countBatches).reduce(plus, 0) };
}
