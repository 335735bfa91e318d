import { STATUS_CODES } from 'node:http';
import {
  type Contract,
  type DocumentedResponse,
  isJsonObject,
  type Json,
  pointerTo,
  withValueAt,
} from '@branchline/contract';
import type { ErrorPlan } from '@branchline/runtime';
import { planDocumentedError } from '../targets/server/error-plan.ts';
import { type ExampleReply, readFittingExample, type ReplySamples } from '../targets/server/example-reply.ts';
import { stripParameters } from '../typescript/media-types.ts';

/**
 * An error that says the status it has. What was made of a schema says its name too; what the author has written for this very status
 * stays as it is.
 *
 * @param isNamed - It is an example that was asked for by name.
 */
export function tellStatus(
  contract: Contract,
  response: DocumentedResponse,
  replies: ReplySamples,
  { reply, isNamed }: { reply: ExampleReply; isNamed: boolean },
): ExampleReply {
  const { status, body } = reply;
  const plan = status < 400 ? undefined : planDocumentedError(contract, response, replies);
  const found = Object.entries(response.value.content ?? {}).find(([type]) => stripParameters(type) === plan?.type);
  if (plan === undefined || found === undefined || !isJsonObject(body)) return reply;
  const [type, media] = found;
  if (reply.type !== undefined && reply.type !== plan.type) return reply;
  const pointer = pointerTo(response.pointer, 'content', type);
  const isWritten = isNamed || readFittingExample(contract, replies, media, pointer) !== undefined;
  if (isWritten && response.status === String(status)) return reply;
  const told = [...listPlaces(plan, status), ...(isWritten ? [] : listNames(plan, status))].reduce<Json>(
    (changed, { path, value }) => withValueAt(changed, path, value) ?? changed,
    body,
  );
  return replies.validator.accepts(pointerTo(pointer, 'schema'), told) ? { ...reply, body: told } : reply;
}

interface Place {
  path: readonly string[];
  value: Json;
}

function listPlaces(plan: ErrorPlan, status: number): Place[] {
  return plan.status.map((path) => ({ path, value: status }));
}

/** What HTTP calls the status, in place of texts that were made up. */
function listNames(plan: ErrorPlan, status: number): Place[] {
  const name = STATUS_CODES[status] ?? String(status);
  const isUntyped = Object(plan.body).type === 'about:blank';
  return [
    ...[...plan.title, ...plan.sentence].map((path) => ({ path, value: name })),
    ...(isUntyped ? [{ path: ['type'], value: 'about:blank' }] : []),
  ];
}
