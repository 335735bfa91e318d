import type { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import {
  bodyValue,
  type Case,
  type CaseFile,
  type ContractDocument,
  type HttpResponse,
  operationAt,
  type ResponseCheck,
} from '@branchline/contract';
import { type Authentication, anonymous, authenticate, misauthenticate } from './credentials.ts';
import { type HttpRequest, NoAnswer, send } from './exchange.ts';
import { judge } from './check-response.ts';
import type { RunOptions, Target, Unprepared } from './options.ts';
import { type Prepared, requestFor } from './request.ts';
import type { Judged, Result } from './result.ts';
import { shown } from './shown.ts';

/** What all cases of a run share. */
export interface Run {
  bodies: CaseFile['bodies'];
  document: ContractDocument;
  target: Target;
  options: RunOptions;
  agent: Agent;
  check: ResponseCheck;
  signal: AbortSignal;
}

/** Runs one case; whatever goes wrong is part of the result. */
export async function runCase(contractCase: Case, run: Run): Promise<Result> {
  try {
    const authentication = authenticationFor(contractCase, run);
    if ('missing' in authentication) return { state: 'skip', case: contractCase, reason: authentication.missing };
    const prepared = await preparedFor(contractCase, run);
    if ('skip' in prepared) return { state: 'skip', case: contractCase, reason: prepared.skip };
    const request = requestFor(contractCase, run.bodies, run.target.baseUrl, prepared, authentication);
    return await exchanged(contractCase, request, authentication, run);
  } catch (error) {
    return { state: 'error', case: contractCase, reason: error instanceof Error ? error.message : String(error) };
  }
}

async function exchanged(
  contractCase: Case,
  request: HttpRequest,
  authentication: Authentication,
  run: Run,
): Promise<Result> {
  const started = performance.now();
  const judged = (response?: HttpResponse): Judged => ({
    case: contractCase,
    exchange: shown(request, authentication, response),
    milliseconds: Math.round(performance.now() - started),
  });
  const observed = contractCase.level === 'observed';
  try {
    const response = await sendPatiently(request, run);
    if (observed) return { state: 'observed', ...judged(response), saw: `Status ${response.status}.` };
    if (conflicts(contractCase, response.status)) return { state: 'skip', case: contractCase, reason: conflict };
    const problems = judge(contractCase, response, run.check);
    return problems.length === 0
      ? { state: 'pass', ...judged(response) }
      : { state: 'fail', ...judged(response), problems };
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    if (observed) return { state: 'observed', ...judged(), saw: error.message };
    return { state: 'fail', ...judged(), problems: [error.message] };
  }
}

const mostTries = 5;

/** A server that limits the rate says 429 and when to come back; a run obeys. */
async function sendPatiently(request: HttpRequest, { agent, options, signal }: Run): Promise<HttpResponse> {
  for (let tries = 1; ; tries += 1) {
    const response = await send(request, agent, options.timeLimitMs ?? 10_000, signal);
    const seconds = Number(response.headers['retry-after'] ?? Number.NaN);
    if (response.status !== 429 || tries === mostTries || !(seconds <= 60)) return response;
    await pause(seconds * 1000, undefined, { signal });
  }
}

const conflict = 'Answered 409: the value is valid, but conflicts with what the server holds already.';

/** A boundary value that must be unique cannot be made fresh: a second run against the same server finds it taken. */
function conflicts({ varies, expect }: Case, status: number): boolean {
  const valid = expect.statuses.some((wanted) => String(wanted).startsWith('2'));
  return status === 409 && valid && varies.in === 'body' && varies.at !== undefined;
}

function authenticationFor(contractCase: Case, { document, target }: Run): Authentication | { missing: string } {
  const security = operationAt(document, contractCase.method, contractCase.path)?.security ?? [];
  const credentials = target.credentials ?? {};
  switch (contractCase.request.authentication) {
    case 'valid':
      return authenticate(document, security, credentials);
    case 'wrong':
      return misauthenticate(document, security, credentials);
    default:
      return anonymous;
  }
}

async function preparedFor(contractCase: Case, { options, bodies }: Run): Promise<Prepared | Unprepared> {
  const given = options.path ?? {};
  const hook = options.prepare?.[contractCase.operationId];
  if (hook !== undefined) {
    const prepared = await hook(contractCase, bodyValue(contractCase.request.body, bodies));
    return 'skip' in prepared ? prepared : { ...prepared, path: { ...given, ...prepared.path } };
  }
  const tested = contractCase.varies.in === 'path' ? contractCase.varies.at : undefined;
  const unknown = Object.keys(contractCase.request.path ?? {}).filter(
    (name) => name !== tested && !Object.hasOwn(given, name),
  );
  if (unknown.length === 0) return { path: given };
  return { skip: `No value was given for the path parameter ${unknown.map((name) => `"${name}"`).join(' and ')}.` };
}
