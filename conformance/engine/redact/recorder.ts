import type { Exchange } from '../result.ts';
import { REDACTED, type Secrets } from './secrets.ts';
import { type Account, encoded } from '../../service/account.ts';
import type { Outcome, Outgoing } from '../http/client.ts';
import type { SuiteOptions } from '../../service/options.ts';

/** Makes an exchange fit for a report: bounded, and without a secret wherever one may stand. */
export type Recorder = (outgoing: Outgoing, outcome: Outcome) => Exchange;

/** What the caller entrusted to the run, each under the environment variable that may hold it. */
export interface Entrusted {
  readonly accounts: Readonly<Record<string, Account>>;
  readonly apiKeys: Readonly<Record<string, string>>;
}

const MAX_RECORDED = 16_384;
const CREDENTIALS = new Set(['authorization', 'api-key', 'cookie', 'proxy-authorization']);

/** The variables are those of the command line. */
export function entrustedBy({ accounts: [first, second], secondWorkspace, apiKey }: SuiteOptions): Entrusted {
  return {
    accounts: {
      BRANCHLINE_ACCOUNT: first,
      ...(second === undefined ? {} : { BRANCHLINE_SECOND_ACCOUNT: second }),
      ...(secondWorkspace === undefined ? {} : { BRANCHLINE_SECOND_WORKSPACE_ACCOUNT: secondWorkspace.account }),
    },
    apiKeys: apiKey === undefined ? {} : { BRANCHLINE_API_KEY: apiKey },
  };
}

/** Every text that must not come into a report. */
export function secretsOf({ accounts, apiKeys }: Entrusted): string[] {
  const ofAccounts = Object.values(accounts).flatMap(({ name, secret }) => [encoded(`${name}:${secret}`), secret]);
  return [...ofAccounts, ...Object.values(apiKeys)];
}

/** Credentials become `<NAME>`, the variable that holds them; wrong ones, and any other secret, `<redacted>`. */
export function recorder(entrusted: Entrusted, secrets: Secrets): Recorder {
  const names = new Set(Object.values(entrusted.accounts).map(({ name }) => name));
  const variables = new Map([
    ...Object.entries(entrusted.accounts).map(([variable, account]) => [credentials(account), variable] as const),
    ...Object.entries(entrusted.apiKeys).map(([variable, key]) => [key, variable] as const),
  ]);

  /** Also what is wrong on purpose may hold a part of a secret, and come back in an answer. */
  const learn = (sent: string): void => {
    const [, wrong = ''] = /^[^:]*:(.*)$/s.exec(Buffer.from(sent, 'base64').toString('utf8')) ?? [];
    for (const text of [sent, wrong]) if (!names.has(text)) secrets.learn(text);
  };

  /** The scheme stays: it is what some cases are about. */
  const withoutCredentials = (value: string): string => {
    if (value === '') return '';
    const [, scheme = '', sent = ''] = /^(\S+ )?(.*)$/s.exec(value) ?? [];
    const variable = variables.get(sent);
    if (variable === undefined && scheme !== '') learn(sent);
    return `${scheme}${variable === undefined ? REDACTED : `<${variable}>`}`;
  };

  const bounded = (body: string | Uint8Array): { body: string; truncated?: true } => {
    const bytes = Buffer.from(body);
    const window = bytes.subarray(0, 2 * MAX_RECORDED + secrets.reach);
    const text = secrets.clean(window.toString('utf8'));
    if (window.length === bytes.length && text.length <= MAX_RECORDED) return { body: text };
    // A secret that the window cuts in two is not known for one.
    const whole = window.length === bytes.length ? text : text.slice(0, text.length - secrets.reach);
    return { body: whole.slice(0, MAX_RECORDED), truncated: true };
  };

  return ({ method, url, headers, body }, { answer, problem }) => {
    const sent = headers.map(([name, value]): [string, string] => [
      name,
      CREDENTIALS.has(name.toLowerCase()) ? withoutCredentials(value) : secrets.clean(value),
    ]);
    return {
      request: { method, url: secrets.clean(url), headers: sent, ...(body === undefined ? {} : bounded(body)) },
      ...(answer === undefined
        ? {}
        : {
            response: {
              status: answer.status,
              httpVersion: answer.httpVersion,
              headers: answer.headers.map(([name, value]): [string, string] => [name, secrets.clean(value)]),
              ...bounded(answer.body),
              milliseconds: answer.milliseconds,
            },
          }),
      ...(problem === undefined ? {} : { problem: secrets.clean(problem) }),
    };
  };
}

function credentials({ name, secret }: Account): string {
  return encoded(`${name}:${secret}`);
}
