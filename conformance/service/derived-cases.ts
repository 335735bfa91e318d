import {
  bodyValue,
  type Case,
  type CaseFile,
  isEventStream,
  operationAt,
  responseCheck,
  writeBody,
} from '@branchline/contract';
import caseFile from '../generated/cases.json' with { type: 'json' };
import contract from '../generated/contract.json' with { type: 'json' };
import { checkResponse } from '../derived/check-response.ts';
import { type Credential, anonymous, chooseAuthentication } from '../derived/credentials.ts';
import { buildRequest } from '../derived/request.ts';
import type { Answer } from '../engine/http/client.ts';
import type { Need, ServiceCase } from './case.ts';
import type { ServiceContext } from './context.ts';
import { type DocumentedMeaning, findMeaning, findOperationClause } from './derived-clauses.ts';
import { prepare } from './derived-preparation.ts';

const { cases, bodies } = caseFile as CaseFile;
const check = responseCheck(contract);

const DOCUMENTED_LANES: Record<string, string> = {
  createBranch: 'create',
  exportBranchStats: 'export',
  exportBranchStatsFromSamplePath: 'export',
};

/**
 * Cases that were derived from the contract: required where a sentence of the documents demands them, and all of them part of
 * the profile. Left out are operations that need a person's session or sign-in link, which no client can give itself, and those
 * that are answered with a stream of events, which does not end.
 */
export const derivedCases: readonly ServiceCase[] = cases.filter(isForSuite).flatMap((one) => {
  const meaning = findMeaning(one);
  return meaning === undefined ? [fromContract(one)] : [fromDocuments(one, meaning), fromContract(one)];
});

function isForSuite(one: Case): boolean {
  const { responses = {}, security = [] } = operationAt(contract, one.method, one.path) ?? {};
  const isStream = Object.values(responses).some((response) =>
    isEventStream(Object.keys(Object(response).content ?? {})[0]),
  );
  return !isStream && security.some((scheme) => 'serviceAccount' in scheme || 'apiKey' in scheme);
}

function fromDocuments(one: Case, { clauses, check: checkMeaning }: DocumentedMeaning): ServiceCase {
  return {
    id: `generated/${one.id}`,
    clauses,
    level: 'required',
    title: one.title,
    cost: { [chooseLane(one)]: 1 },
    run: async (context) => context.demand(checkMeaning(await sendCase(context, one))),
  };
}

function fromContract(one: Case): ServiceCase {
  const needs: Need[] = one.operationId === 'ingestBatch' ? ['profile', 'api key'] : ['profile'];
  const common = { id: `contract/${one.id}`, title: one.title, needs, cost: { [chooseLane(one)]: 1 } };
  if (one.level === 'observed') {
    return {
      ...common,
      clauses: ['REQUEST-OPEN-1'],
      level: 'observed',
      run: async (context) => `Status ${(await sendCase(context, one)).status}.`,
    };
  }
  return {
    ...common,
    clauses: [findOperationClause(one.operationId)],
    level: 'profile',
    run: async (context) => {
      const answer = await sendCase(context, one);
      // A boundary value can't be made fresh: a second run finds it taken.
      const taken = answer.status === 409 && one.operationId === 'createBranch' && one.varies.in === 'body';
      if (!taken) context.demand(checkResponse(one, answer, check));
    },
  };
}

async function sendCase(context: ServiceContext, one: Case): Promise<Answer> {
  const { account, options } = context.session;
  const credentials: Record<string, Credential> = {
    serviceAccount: { ...account },
    ...(options.apiKey === undefined ? {} : { apiKey: { token: options.apiKey } }),
  };
  const authentication = chooseAuthentication(contract, one, credentials);
  const prepared = await prepare(context, one, bodies);
  const body = writeBody(one.request, bodyValue(one.request.body, bodies, prepared.body));
  const request = buildRequest(one, body, prepared, 'missing' in authentication ? anonymous : authentication);
  const answer = await context.send({ ...request, lane: chooseLane(one) });
  context.session.remember(answer);
  return answer;
}

function chooseLane({ operationId, request }: Case): string {
  const who = request.authentication === 'valid' ? 'first' : 'nobody';
  return `${who} ${DOCUMENTED_LANES[operationId] ?? operationId}`;
}
