import {
  type Case,
  type CaseFile,
  type HttpResponse,
  isEventStream,
  operationAt,
  responseCheck,
  type SecurityRequirement,
} from '@branchline/contract';
import caseFile from '../../generated/cases.json' with { type: 'json' };
import contract from '../../generated/contract.json' with { type: 'json' };
import {
  type Authentication,
  type Credential,
  anonymous,
  authenticate,
  misauthenticate,
} from '../../derived/credentials.ts';
import { judge } from '../../derived/check-response.ts';
import { requestFor } from '../../derived/request.ts';
import type { Need, SuiteCase } from '../../engine/case.ts';
import type { Answer } from '../../engine/http/client.ts';
import { type DocumentedMeaning, clauseOfOperation, meaningOf } from './clauses.ts';
import { preparedFor } from './preparation.ts';
import type { Trial } from '../context.ts';

const { cases, bodies } = caseFile as CaseFile;
const checkResponse = responseCheck(contract);

const DOCUMENTED_LANES: Record<string, string> = {
  createBranch: 'create',
  exportBranchStats: 'export',
  exportBranchStatsFromSamplePath: 'export',
};

/**
 * Cases that were derived from the contract: what a documented sentence carries is required, all of it is the profile's. Left out
 * is what people alone do: no client can give itself the session and the sign-in links that these cases take; and what is answered
 * with a stream of events, which is for people to look at and does not end.
 */
export const generatedCases: readonly SuiteCase[] = cases.filter(isForSuite).flatMap((one) => {
  const meaning = meaningOf(one);
  return meaning === undefined ? [byContract(one)] : [byDocuments(one, meaning), byContract(one)];
});

function isForSuite(one: Case): boolean {
  const responses = operationAt(contract, one.method, one.path)?.responses ?? {};
  const isStream = Object.values(responses).some((response) =>
    isEventStream(Object.keys(Object(response).content ?? {})[0]),
  );
  return !isStream && securityOf(one).some((scheme) => 'serviceAccount' in scheme || 'apiKey' in scheme);
}

function securityOf({ method, path }: Case): readonly SecurityRequirement[] {
  return operationAt(contract, method, path)?.security ?? [];
}

function byDocuments(one: Case, { clauses, judge }: DocumentedMeaning): SuiteCase {
  return {
    id: `generated/${one.id}`,
    clauses,
    level: 'required',
    title: one.title,
    cost: { [laneOf(one)]: 1 },
    run: async (trial) => trial.demand(judge(await sent(trial, one))),
  };
}

function byContract(one: Case): SuiteCase {
  const needs: Need[] = one.operationId === 'ingestBatch' ? ['profile', 'api key'] : ['profile'];
  const common = { id: `contract/${one.id}`, title: one.title, needs, cost: { [laneOf(one)]: 1 } };
  if (one.level === 'observed') {
    return {
      ...common,
      clauses: ['REQUEST-OPEN-1'],
      level: 'observed',
      run: async (trial) => `Status ${(await sent(trial, one)).status}.`,
    };
  }
  return {
    ...common,
    clauses: [clauseOfOperation(one.operationId)],
    level: 'profile',
    run: async (trial) => {
      const answer = await sent(trial, one);
      // A boundary value can't be made fresh: a second run finds it taken.
      const taken = answer.status === 409 && one.operationId === 'createBranch' && one.varies.in === 'body';
      if (!taken) trial.demand(judge(one, responseOf(answer), checkResponse));
    },
  };
}

async function sent(trial: Trial, one: Case): Promise<Answer> {
  const prepared = await preparedFor(trial, one, bodies);
  const request = requestFor(one, bodies, '', prepared, authenticationFor(trial, one));
  const answer = await trial.send({
    method: request.method,
    path: request.url,
    lane: laneOf(one),
    headers: Object.entries(request.headers),
    ...(request.body === undefined ? {} : { body: request.body }),
  });
  trial.session.remember(answer);
  return answer;
}

function authenticationFor({ session }: Trial, one: Case): Authentication {
  const security = securityOf(one);
  const { apiKey } = session.options;
  const credentials: Record<string, Credential> = {
    serviceAccount: { ...session.account },
    ...(apiKey === undefined ? {} : { apiKey: { token: apiKey } }),
  };
  if (one.request.authentication === 'wrong') return misauthenticate(contract, security, credentials);
  if (one.request.authentication !== 'valid') return anonymous;
  const authentication = authenticate(contract, security, credentials);
  return 'missing' in authentication ? anonymous : authentication;
}

function laneOf({ operationId, request }: Case): string {
  const who = request.authentication === 'valid' ? 'first' : 'nobody';
  return `${who} ${DOCUMENTED_LANES[operationId] ?? operationId}`;
}

function responseOf({ status, headers, body }: Answer): HttpResponse {
  const joined = Map.groupBy(headers, ([name]) => name);
  const texts = [...joined].map(([name, all]) => [name, all.map(([, value]) => value).join(', ')]);
  return { status, headers: Object.fromEntries(texts), body };
}
