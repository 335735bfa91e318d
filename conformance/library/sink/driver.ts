import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { isJsonObject, type JsonObject } from '@branchline/contract';

/** A value as typed JSON; `conformance/library/vectors/README.md` says how it is written. */
export type TypedJson = JsonObject;

/** What a driver is asked to do, as one line of JSON. */
export type Request =
  | {
      do: 'start';
      endpoint: string;
      apiKey: string;
      environment: 'dev' | 'staging' | 'prod';
      folder: string;
      batchSize?: number;
      batchFlushSeconds?: number;
    }
  | { do: 'track'; eventName: string; properties: TypedJson }
  | { do: 'trackSchema'; eventName: string; schema: JsonObject[] }
  | { do: 'extract'; id: string; input: TypedJson }
  | { do: 'stop' };

/** What it answers, as one line of JSON. */
export type Reply =
  | { readonly ok: true; readonly schema?: unknown }
  /** The library, or its language, has no such thing. */
  | { readonly ok: false; readonly unsupported: string }
  /** The library failed. */
  | { readonly ok: false; readonly error: string };

/** An app with the library under test in it. */
export interface Driver {
  readonly ask: (request: Request) => Promise<Reply>;
  /** Asks it to end. */
  readonly stop: () => Promise<void>;
  /** As `kill -9` does. */
  readonly kill: () => Promise<void>;
}

/** Starts an app. */
export type StartDriver = () => Driver;

/** The driver itself failed: it ended, or it says nothing. */
export class DriverFailed extends Error {}

const ANSWER_MS = 60_000;
const STOP_MS = 5_000;
const MAX_STDERR = 2_000;

/** Starts drivers by a shell command. */
export function driverCommand(command: string): StartDriver {
  return () => new ProcessDriver(command);
}

class ProcessDriver implements Driver {
  readonly #process: ChildProcess;
  readonly #ended: Promise<unknown>;
  #stderr = '';
  #isKilled = false;
  #answered: ((line: Reply) => void) | undefined;

  constructor(command: string) {
    // A group of its own, so that a kill reaches what the shell has started.
    const child = spawn(command, { shell: true, detached: true, stdio: 'pipe' });
    this.#process = child;
    this.#ended = once(child, 'exit');
    child.stderr.on('data', (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString()).slice(-MAX_STDERR);
    });
    // A process that has ended reads nothing more; `exit` reports its end.
    child.stdin.on('error', () => {});
    createInterface({ input: child.stdout }).on('line', (line) => {
      const reply = parseReply(line);
      if (reply !== undefined) this.#answered?.(reply);
    });
  }

  async ask(request: Request): Promise<Reply> {
    const { promise, resolve } = Promise.withResolvers<Reply>();
    this.#answered = resolve;
    this.#process.stdin?.write(`${JSON.stringify(request)}\n`);
    const silence = new AbortController();
    const late = pause(ANSWER_MS, 'late' as const, { signal: silence.signal }).catch(() => 'late' as const);
    const first = await Promise.race([promise, late, this.#ended.then(() => 'ended' as const)]);
    silence.abort();
    if (first === 'late')
      throw new DriverFailed(`The driver did not answer "${request.do}" within ${ANSWER_MS / 1_000} s.`);
    if (first === 'ended')
      throw new DriverFailed(`The driver ended when it was asked to "${request.do}".${this.#lastWords()}`);
    return first;
  }

  async stop(): Promise<void> {
    this.#process.stdin?.end(`${JSON.stringify({ do: 'stop' } satisfies Request)}\n`);
    await Promise.race([this.#ended, pause(STOP_MS, undefined, { ref: false })]);
    await this.kill();
  }

  async kill(): Promise<void> {
    const { pid } = this.#process;
    if (pid === undefined || this.#isKilled) return;
    this.#isKilled = true;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // Nothing of it is left.
    }
    await this.#ended;
  }

  #lastWords(): string {
    const text = this.#stderr.trim();
    return text === '' ? '' : ` It said: ${text}`;
  }
}

/** Other lines are what the library logs. */
function parseReply(line: string): Reply | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const reply: unknown = JSON.parse(line);
    if (!isJsonObject(reply)) return undefined;
    if (reply['ok'] === true) return { ok: true, schema: reply['schema'] };
    if (typeof reply['unsupported'] === 'string') return { ok: false, unsupported: reply['unsupported'] };
    return reply['ok'] === false ? { ok: false, error: String(reply['error']) } : undefined;
  } catch {
    return undefined;
  }
}
