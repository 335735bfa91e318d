import { bodyValue, type Case, type Json } from '@branchline/contract';
import type { CaseContext } from '../engine/case-context.ts';
import type { Unprepared } from './options.ts';
import type { Prepared } from './request.ts';
import type { ContractSession } from './session.ts';
import { freshenBody } from './stateful/fresh-body.ts';

/** What the caller answered for a case, and for the request of which operation. */
export interface Asked {
  readonly operationId: string;
  readonly prepared: Prepared | Unprepared;
}

/** What is sent beside the values of the case itself. */
export interface PreparedCase extends Omit<Prepared, 'body'> {
  readonly isKnown: boolean;
  /** @param isFresh - with other texts, numbers and references than the ordinary body has. */
  readonly makeBody: (isFresh: boolean) => Promise<Json | undefined>;
}

/**
 * Lets the caller prepare a case. It is asked once, however many requests the case sends.
 *
 * @throws Skipped where the caller says so.
 */
export async function askCaller(
  session: ContractSession,
  context: CaseContext,
  one: Case,
): Promise<Prepared & Pick<Asked, 'operationId'>> {
  const asked = session.preparations.get(context) ?? ask(session, one);
  session.preparations.set(context, asked);
  const { operationId, prepared } = await asked;
  return 'skip' in prepared ? context.skip(prepared.skip) : { operationId, ...prepared };
}

async function ask({ options, file }: ContractSession, one: Case): Promise<Asked> {
  const hook = options.prepare?.[one.operationId] ?? options.before;
  const prepared = (await hook?.(one, bodyValue(one.request.body, file.bodies))) ?? {};
  return { operationId: one.operationId, prepared };
}

/**
 * What the case itself has made comes first, then what the caller prepares, then what holds for every case, then what the server has.
 *
 * @param known - values of path parameters that the case has made, or is about.
 */
export async function prepareCase(
  session: ContractSession,
  context: CaseContext,
  one: Case,
  known: Record<string, string>,
): Promise<PreparedCase> {
  const { resources } = session;
  const asked = await askCaller(session, context, one);
  // Of several requests, the first is the one that was prepared; where and with which headers holds for all of them.
  const { query, body } = asked.operationId === one.operationId ? asked : {};
  const given = { ...asked.path, ...known };
  const tested = one.varies.in === 'path' ? one.varies.at : undefined;
  // What a request for deletion may delete serves no other case.
  const isConsumed = one.method === 'delete' && one.varies.in !== 'path';
  const path = await resources.supply(one.path, { given, isFresh: isConsumed, tested });
  const names = [...one.path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);
  return {
    path,
    ...(query === undefined ? {} : { query }),
    ...(asked.headers === undefined ? {} : { headers: asked.headers }),
    isKnown: names.every((name) => name !== tested && Object.hasOwn(path, name)),
    makeBody: (isFresh) => makeBody(session, one, { path, body, isFresh }),
  };
}

interface BodyWanted {
  readonly path: Record<string, string>;
  readonly body: Prepared['body'];
  readonly isFresh: boolean;
}

async function makeBody(session: ContractSession, one: Case, wanted: BodyWanted): Promise<Json | undefined> {
  const { path, body: prepare = (body) => body, isFresh } = wanted;
  const { bodies } = session.file;
  const patch = one.request.body;
  if (patch === undefined || 'text' in patch) return undefined;
  const fill = (body: Json): Promise<Json> => session.references.fill(one.operationId, body, { path, isFresh });
  // A valid body that is another one as a whole has nothing of the ordinary one.
  if (one.mistake === undefined && 'at' in patch && patch.at === '') return fill(bodyValue(patch, bodies) ?? null);
  const base = bodies[patch.base];
  if (base === undefined) return bodyValue(patch, bodies);
  const filled = await fill(base);
  const made = isFresh ? freshenBody(session, one.operationId, filled, session.nextPurpose(one.id)) : filled;
  return bodyValue(patch, { [patch.base]: made }, prepare);
}
