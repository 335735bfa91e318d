import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Tracker, type TrackerOptions } from './tracker.ts';

/** What became of events that a process tracked before it was killed. */
export interface Fate {
  tracked: number;
  lost: number;
  /** How many were counted beyond those that were tracked. */
  countedTwice: number;
}

export interface Killed {
  /** Events that were old enough when their process was killed: none may be lost. */
  old: Fate;
  /** Events that were tracked just before. */
  young: Fate;
}

export interface KillOptions extends Omit<TrackerOptions, 'batchSize'> {
  kills: number;
  /** How old is old enough; left out: as old as it is when the library has stored it. */
  safeAgeMs?: number;
  /** How many events of a name the server has counted. */
  countOf: (eventName: string) => Promise<number>;
}

/** Events of one name. */
interface Tracked {
  eventName: string;
  count: number;
}

/**
 * Kills a process that tracks, again and again and while it sends; a last one sends what is left. Each is let store one event before its
 * events have an age, since until then it is busy with loading Java.
 */
export async function killOften(jars: readonly string[], options: KillOptions): Promise<Killed> {
  const start = (): Promise<Tracker> => Tracker.start(jars, { ...options, batchSize: 5 });
  const old: Tracked[] = [];
  const young: Tracked[] = [];
  for (let kill = 0; kill < options.kills; kill += 1) {
    const tracker = await start();
    const first = await trackSome(tracker, `First${kill}`);
    await storing(first, options);
    const second = await trackSome(tracker, `Old${kill}`);
    await (options.safeAgeMs === undefined ? storing(second, options) : pause(options.safeAgeMs + 1));
    old.push(first, second);
    young.push(await trackSome(tracker, `Young${kill}`));
    await pause(Math.random() * 20);
    await tracker.kill();
  }
  await sendTheRest(await start(), options);
  return { old: await fateOf(old, options), young: await fateOf(young, options) };
}

async function trackSome(tracker: Tracker, eventName: string): Promise<Tracked> {
  const count = 1 + Math.floor(Math.random() * 8);
  await tracker.track(count, eventName);
  return { eventName, count };
}

/** Waits until all of them are on disk, or, since they leave it then, on the server. */
async function storing({ eventName, count }: Tracked, { folder, countOf }: KillOptions): Promise<void> {
  while ((await storedOf(eventName, folder)) < count && (await countOf(eventName)) < count) await pause(10);
}

async function storedOf(eventName: string, folder: string): Promise<number> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const queues = files.filter(({ name }) => name === 'queue').map(({ parentPath, name }) => join(parentPath, name));
  const texts = await Promise.all(queues.map(textOf));
  return texts.join('').split(`"${eventName}"`).length - 1;
}

/** The library may take a queue away, when it has joined it to its own, between one look and the next. */
async function textOf(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
}

/** The order of events is kept, so when the last are there, all are. */
async function sendTheRest(tracker: Tracker, { countOf }: KillOptions): Promise<void> {
  await tracker.track(5, 'Last');
  while ((await countOf('Last')) < 5) await pause(100);
  await tracker.kill();
}

async function fateOf(events: readonly Tracked[], { countOf }: KillOptions): Promise<Fate> {
  const fate: Fate = { tracked: 0, lost: 0, countedTwice: 0 };
  for (const { eventName, count } of events) {
    const counted = await countOf(eventName);
    fate.tracked += count;
    fate.lost += Math.max(0, count - counted);
    fate.countedTwice += Math.max(0, counted - count);
  }
  return fate;
}
