import { bodyValue, type Case, type CaseFile, type ContractDocument, responseCheck } from '@branchline/contract';
import type { ConformanceCase } from '../engine/case.ts';
import type { CaseContext } from '../engine/case-context.ts';
import { checkResponse } from './check-response.ts';
import { chooseAuthentication } from './credentials.ts';
import type { RunOptions, Target } from './options.ts';
import { buildRequest, type Prepared } from './request.ts';

/** The cases that were derived from a contract, as the engine runs them. Their ids are those of the case file. */
export function toConformanceCases(
  { cases, bodies }: CaseFile,
  document: ContractDocument,
  target: Target,
  options: RunOptions,
): ConformanceCase[] {
  const check = responseCheck(document);
  return cases.map((one) => ({
    id: one.id,
    clauses: [],
    level: one.level,
    title: one.title,
    run: async (context) => {
      const authentication = chooseAuthentication(document, one, target.credentials ?? {});
      if ('missing' in authentication) return context.skip(authentication.missing);
      const prepared = await prepare(context, one, bodies, options);
      const request = buildRequest(one, bodies, prepared, authentication);
      const answer = await context.send({
        ...request,
        lane: `any ${one.operationId}`,
        impatient: one.expect.statuses.includes(429),
      });
      if (one.level === 'observed') return `Status ${answer.status}.`;
      if (isConflict(one, answer.status)) return context.skip(CONFLICT);
      return context.demand(checkResponse(one, answer, check));
    },
  }));
}

const CONFLICT = 'Answered 409: the value is valid, but conflicts with what the server holds already.';

/** A boundary value that must be unique can't be made fresh: a second run against the same server finds it taken. */
function isConflict({ varies, expect }: Case, status: number): boolean {
  const valid = expect.statuses.some((wanted) => String(wanted).startsWith('2'));
  return status === 409 && valid && varies.in === 'body' && varies.at !== undefined;
}

async function prepare(
  context: CaseContext,
  one: Case,
  bodies: CaseFile['bodies'],
  options: RunOptions,
): Promise<Prepared> {
  const given = options.path ?? {};
  const hook = options.prepare?.[one.operationId];
  if (hook !== undefined) {
    const prepared = await hook(one, bodyValue(one.request.body, bodies));
    return 'skip' in prepared ? context.skip(prepared.skip) : { ...prepared, path: { ...given, ...prepared.path } };
  }
  const tested = one.varies.in === 'path' ? one.varies.at : undefined;
  const names = Object.keys(one.request.path ?? {});
  const unknown = names.filter((name) => name !== tested && !Object.hasOwn(given, name));
  if (unknown.length === 0) return { path: given };
  const listed = unknown.map((name) => `"${name}"`).join(' and ');
  return context.skip(`No value was given for the path parameter ${listed}.`);
}
