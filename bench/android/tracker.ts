import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { run } from '../programs.ts';
import { fromRoot } from '../subjects/subject.ts';

/** On whose behalf, from where and to where a tracker reports. */
export interface TrackerOptions {
  apiKey: string;
  origin: string;
  folder: string;
  batchSize: number;
}

/** Compiles the program that tracks; answers with all that it takes to run it. */
export async function compileTracker(library: readonly string[], folder: string): Promise<string[]> {
  const classes = join(folder, 'tracker');
  await run('javac', ['-cp', library.join(':'), '-d', classes, fromRoot('bench/android/Tracker.java')]);
  return [classes, ...library];
}

/** A JVM of its own that tracks. */
export class Tracker {
  /** How many nanoseconds the constructor of the library took. */
  readonly constructing: number;
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  private constructor(child: ChildProcess, lines: AsyncIterator<string>, constructing: number) {
    this.#child = child;
    this.#lines = lines;
    this.constructing = constructing;
  }

  static async start(jars: readonly string[], options: TrackerOptions): Promise<Tracker> {
    const { apiKey, origin, folder, batchSize } = options;
    const parameters = ['-Xmx64m', '-cp', jars.join(':'), 'Tracker', apiKey, origin, folder, String(batchSize)];
    const child = spawn('java', parameters, { stdio: ['pipe', 'pipe', 'inherit'] });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    return new Tracker(child, lines, Number(await nextOf(lines)));
  }

  /** Tracks events of a name; answers, when the library has the last of them, how many nanoseconds the calls took. */
  async track(count: number, eventName: string, pauseNanos = 0): Promise<{ p50: number; p99: number }> {
    this.#child.stdin?.write(`${count} ${eventName} ${pauseNanos}\n`);
    const [p50 = Number.NaN, p99 = Number.NaN] = (await nextOf(this.#lines)).split(' ').map(Number);
    return { p50, p99 };
  }

  /** Ends it without a word, as Android ends an app. */
  async kill(): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }
}

async function nextOf(lines: AsyncIterator<string>): Promise<string> {
  const { done, value } = await lines.next();
  if (done === true) throw new Error('The tracker has ended; it said why above.');
  return value;
}
