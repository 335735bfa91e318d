import { Secrets } from '../engine/redact/secrets.ts';
import type { Account } from './account.ts';
import type { Answer } from '../engine/http/client.ts';
import { objectOf } from './documented.ts';
import { seedingByOperations } from './status-seeding.ts';
import type { SuiteOptions } from './options.ts';
import { entrustedBy, recorder, secretsOf } from '../engine/redact/recorder.ts';
import type { Branch, Seeding } from './seeding.ts';
import { Sender } from '../engine/schedule/sender.ts';
import { Trial } from './context.ts';
import { Turns } from '../engine/schedule/keyed-mutex.ts';

/** What all cases of a run share. */
export class Session {
  readonly options: SuiteOptions;
  readonly account: Account;
  readonly workspace: string;
  /** Every branch that the run was told it has created in the workspace. */
  readonly branches: Branch[] = [];
  /** What no report may hold. */
  readonly secrets: Secrets;
  readonly sender: Sender;
  readonly turns = new Turns();
  readonly #shared = new Map<string, { trial: Trial; value: Promise<unknown> }>();
  readonly #suffix: string;
  #names = 0;

  constructor(options: SuiteOptions) {
    const { accounts } = options;
    this.options = options;
    this.account = accounts[0];
    this.workspace = options.workspace;
    this.#suffix = options.suffix ?? Math.random().toString(36).slice(2, 8);
    const entrusted = entrustedBy(options);
    this.secrets = new Secrets(secretsOf(entrusted));
    this.sender = new Sender(options, recorder(entrusted, this.secrets));
  }

  /** How branches come into a status: by the caller's hook, or by the operations that the profile has for it. */
  get seeding(): Seeding | undefined {
    return this.options.seed ?? (this.options.profile === true ? seedingByOperations(this) : undefined);
  }

  get secondAccount(): Account | undefined {
    return this.options.accounts[1];
  }

  /** A valid name that nobody has used. */
  name(): string {
    this.#names += 1;
    return `case-${this.#suffix}-${this.#names}`;
  }

  /** Notes the branch, if the service says that it has created one. */
  remember(answer: Answer): void {
    const body = answer.status === 201 ? objectOf(answer) : { fields: {} };
    const { branchId, branchName } = 'fields' in body ? body.fields : {};
    if (typeof branchId === 'string' && typeof branchName === 'string') this.branches.push({ branchId, branchName });
  }

  lane(account: Account, operation: string): string {
    const who = account === this.account ? 'first' : account === this.secondAccount ? 'second' : 'other workspace';
    return `${who} ${operation}`;
  }

  /** Made by whoever asks first, in a trial of its own. */
  shared<T>(key: string, make: (trial: Trial) => Promise<T>): { trial: Trial; value: Promise<T> } {
    const known = this.#shared.get(key);
    if (known !== undefined) return known as { trial: Trial; value: Promise<T> };
    const trial = new Trial(this);
    const made = { trial, value: make(trial) };
    this.#shared.set(key, made);
    return made;
  }
}
