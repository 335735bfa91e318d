import { bodyValue, type Case, type Json } from '@branchline/contract';
import type { CaseContext } from '../engine/case-context.ts';
import type { Answer } from '../engine/http/client.ts';
import { chooseAuthentication } from './credentials.ts';
import { buildRequest, type Prepared } from './request.ts';
import type { ContractSession } from './session.ts';
import { freshenBody } from './stateful/fresh-body.ts';

/** The answer to a case, and what it was sent with. */
export interface SentCase {
  readonly answer: Answer;
  /** Every path parameter has a value that the server or the caller vouches for. */
  readonly isKnown: boolean;
  /** The JSON that was sent. */
  readonly sent: Json | undefined;
}

export interface SendOptions {
  /** Values of path parameters that are known already. */
  readonly path?: Record<string, string>;
  /** Sends other texts and numbers than the ordinary body has, as far as its schema allows. */
  readonly isFresh?: boolean;
}

/**
 * Sends the request of a case with real resources in its path, as far as there are any. A valid body that conflicts with what the
 * server holds already is made fresh, and sent once more.
 *
 * @throws Skipped where the case can't be run.
 */
export async function sendCase(
  session: ContractSession,
  context: CaseContext,
  one: Case,
  { path, isFresh = false }: SendOptions = {},
): Promise<SentCase> {
  const { document, file, target } = session;
  const authentication = chooseAuthentication(document, one, target.credentials ?? {});
  if ('missing' in authentication) return context.skip(authentication.missing);
  const { isKnown, ...prepared } = await prepare(session, context, one, path);
  const send = async (change: Prepared): Promise<SentCase> => {
    const request = buildRequest(one, file.bodies, change, authentication);
    const answer = await context.send({
      ...request,
      lane: `any ${one.operationId}`,
      impatient: one.expect.statuses.includes(429),
    });
    return { answer, isKnown, sent: bodyValue(one.request.body, file.bodies, change.body) };
  };
  const fresh: Prepared = {
    ...prepared,
    body: (body) => freshenBody(session, one.operationId, prepared.body?.(body) ?? body, session.nextPurpose(one.id)),
  };
  const sent = await send(isFresh ? fresh : prepared);
  const isConflict = sent.answer.status === 409 && one.mistake === undefined && sent.sent !== undefined;
  return isConflict ? send(fresh) : sent;
}

/** What the caller prepares comes first, then what holds for every case, then what the server has. */
async function prepare(
  session: ContractSession,
  context: CaseContext,
  one: Case,
  known: Record<string, string> = {},
): Promise<Prepared & { isKnown: boolean }> {
  const { options, file, resources } = session;
  const hook = options.prepare?.[one.operationId] ?? options.before;
  const prepared = (await hook?.(one, bodyValue(one.request.body, file.bodies))) ?? {};
  if ('skip' in prepared) return context.skip(prepared.skip);
  const given = { ...options.path, ...known, ...prepared.path };
  const tested = one.varies.in === 'path' ? one.varies.at : undefined;
  // What a request for deletion may delete serves no other case.
  const isConsumed = one.method === 'delete' && one.varies.in !== 'path';
  const path = await resources.supply(one.path, { given, isFresh: isConsumed, tested });
  const names = [...one.path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);
  const isKnown = names.every((name) => name !== tested && Object.hasOwn(path, name));
  return { ...prepared, path, isKnown };
}
