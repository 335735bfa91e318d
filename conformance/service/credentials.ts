import type { Entrusted } from '../engine/redact/redactor.ts';
import { listSecretHeaders } from '../engine/redact/secret-headers.ts';
import { type Account, encodeBase64 } from './account.ts';
import type { SuiteOptions } from './options.ts';

/** What the options entrust to a run, under the variables that the command line reads. */
export function listCredentials(options: SuiteOptions): Entrusted {
  const {
    accounts: [first, second],
    secondWorkspace,
    apiKey,
    headers,
  } = options;
  const secretHeaders = listSecretHeaders(headers);
  const given: [variable: string, account: Account | undefined][] = [
    ['BRANCHLINE_ACCOUNT', first],
    ['BRANCHLINE_SECOND_ACCOUNT', second],
    ['BRANCHLINE_SECOND_WORKSPACE_ACCOUNT', secondWorkspace?.account],
  ];
  const accounts = given.flatMap(([variable, account]) =>
    account === undefined ? [] : [{ ...account, variable, sent: encodeBase64(`${account.name}:${account.secret}`) }],
  );
  const variables = accounts.map(({ sent, variable }): [string, string] => [sent, variable]);
  return {
    secrets: [
      ...accounts.flatMap(({ sent, secret }) => [sent, secret]),
      ...(apiKey === undefined ? [] : [apiKey]),
      ...secretHeaders.map(([value]) => value),
    ],
    names: accounts.map(({ name }) => name),
    variables: new Map([
      ...secretHeaders,
      ...variables,
      ...(apiKey === undefined ? [] : [[apiKey, 'BRANCHLINE_API_KEY'] as const]),
    ]),
  };
}
