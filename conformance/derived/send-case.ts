import { type Case, type Json, writeBody } from '@branchline/contract';
import type { CaseContext } from '../engine/case-context.ts';
import type { Answer } from '../engine/http/client.ts';
import { chooseAuthentication } from './credentials.ts';
import { prepareCase } from './prepare-case.ts';
import { buildRequest } from './request.ts';
import type { ContractSession } from './session.ts';

/** The answer to a case, and what it was sent with. */
export interface SentCase {
  readonly answer: Answer;
  /** Every path parameter has a value that the server or the caller vouches for. */
  readonly isKnown: boolean;
  /** The body that was sent, unless it was raw text. */
  readonly sent: Json | undefined;
}

export interface SendOptions {
  /** Values of path parameters that are known already. */
  readonly path?: Record<string, string>;
  /** Sends other texts and numbers than the ordinary body has, as far as its schema allows. */
  readonly isFresh?: boolean;
}

/**
 * Sends the request of a case with real resources in its path and its body, as far as there are any. A valid body that conflicts with
 * what the server holds already is made fresh, and sent once more.
 *
 * @throws Skipped where the case can't be run.
 */
export async function sendCase(
  session: ContractSession,
  context: CaseContext,
  one: Case,
  { path = {}, isFresh = false }: SendOptions = {},
): Promise<SentCase> {
  const { document, target } = session;
  const authentication = chooseAuthentication(document, one, target.credentials ?? {});
  if ('missing' in authentication) return context.skip(authentication.missing);
  const { isKnown, makeBody, ...prepared } = await prepareCase(session, context, one, path);
  const send = async (isBodyFresh: boolean): Promise<SentCase> => {
    const sent = await makeBody(isBodyFresh);
    const answer = await context.send({
      ...buildRequest(one, writeBody(one.request, sent), prepared, authentication),
      lane: `any ${one.operationId}`,
      impatient: one.expect.statuses.includes(429),
    });
    return { answer, isKnown, sent };
  };
  const first = await send(isFresh);
  const isConflict = first.answer.status === 409 && one.mistake === undefined && first.sent !== undefined;
  return isConflict ? send(true) : first;
}
