import { Chance } from '../engine/chance.ts';
import type { Answer } from '../engine/http/client.ts';
import { openTransport } from '../engine/http/transport.ts';
import { Redactor } from '../engine/redact/redactor.ts';
import { KeyedMutex } from '../engine/schedule/keyed-mutex.ts';
import { createPace } from '../engine/schedule/pace.ts';
import { Sender } from '../engine/schedule/sender.ts';
import type { Account } from './account.ts';
import { ServiceContext } from './context.ts';
import { listCredentials } from './credentials.ts';
import { parseObject } from './documented.ts';
import type { SuiteOptions } from './options.ts';
import type { Branch, Seeding } from './seeding.ts';
import { seedByOperations } from './status-seeding.ts';

const MIB = 1_024 * 1_024;
/** How large an export may be is not shown; no other answer has a reason to be large. */
const MAX_EXPORT_BYTES = 64 * MIB;
const MAX_BODY_BYTES = 4 * MIB;

/** What all cases of a run share. */
export class Session {
  readonly options: SuiteOptions;
  readonly account: Account;
  readonly workspace: string;
  /** Every branch that the service says the run has created in the workspace. */
  readonly branches: Branch[] = [];
  readonly redactor: Redactor;
  readonly sender: Sender;
  readonly mutex = new KeyedMutex();
  readonly #shared = new Map<string, { maker: ServiceContext; value: Promise<unknown> }>();
  readonly chance: Chance;
  readonly #suffix: string;

  /** @param signal - ends the requests that are under way. */
  constructor(options: SuiteOptions, signal?: AbortSignal) {
    const { accounts, baseUrl, connection, headers = [], rate, timeoutMs, workspace } = options;
    this.options = options;
    this.account = accounts[0];
    this.workspace = workspace;
    this.chance = new Chance(options.chance);
    this.#suffix = this.chance.text('names', 6);
    const redactor = new Redactor(listCredentials(options));
    this.redactor = redactor;
    this.sender = new Sender({
      baseUrl,
      headers,
      record: (outgoing, outcome) => redactor.record(outgoing, outcome),
      pace: createPace(rate),
      timeoutMs,
      maxBodyBytes: (operation) => (operation === 'export' ? MAX_EXPORT_BYTES : MAX_BODY_BYTES),
      transport: openTransport(connection),
      signal,
    });
  }

  /** How branches get a status: by the caller's hook, or by the operations that the profile has for it. */
  get seeding(): Seeding | undefined {
    return this.options.seed ?? (this.options.profile === true ? seedByOperations(this) : undefined);
  }

  get secondAccount(): Account | undefined {
    return this.options.accounts[1];
  }

  /**
   * A valid name that nobody else uses. It ends with a letter: a number that a service puts behind it makes no name of another.
   *
   * @param who - asks for it: letters and digits, the last a digit.
   * @param count - how many names it has asked for before.
   */
  name(who: string, count: number): string {
    return `case-${this.#suffix}-${who}${toLetters(count)}`;
  }

  /** Records the branch, if the service says that it has created one. */
  remember(answer: Answer): void {
    const body = answer.status === 201 ? parseObject(answer) : { fields: {} };
    const { branchId, branchName } = 'fields' in body ? body.fields : {};
    if (typeof branchId === 'string' && typeof branchName === 'string') this.branches.push({ branchId, branchName });
  }

  lane(account: Account, operation: string): string {
    const who = account === this.account ? 'first' : account === this.secondAccount ? 'second' : 'other workspace';
    return `${who} ${operation}`;
  }

  /** Makes something once, for whoever asks first, in a context of its own. */
  share<T>(key: string, make: (maker: ServiceContext) => Promise<T>): { maker: ServiceContext; value: Promise<T> } {
    const known = this.#shared.get(key);
    if (known !== undefined) return known as { maker: ServiceContext; value: Promise<T> };
    const maker = new ServiceContext(this, { who: `${this.chance.text(key, 3)}0` });
    const made = { maker, value: make(maker) };
    this.#shared.set(key, made);
    return made;
  }
}

const LETTERS = 26;
const FIRST_LETTER = 'a'.codePointAt(0) ?? 0;

/** `a` to `z`, then `aa` and so on. */
function toLetters(count: number): string {
  const before = count < LETTERS ? '' : toLetters(Math.floor(count / LETTERS) - 1);
  return before + String.fromCodePoint(FIRST_LETTER + (count % LETTERS));
}
