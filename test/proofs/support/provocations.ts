import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import contract from '../../../server/generated/contract.json' with { type: 'json' };
import { batchOf, eventReport } from '../../support/batch.ts';
import type { Sent } from '../../support/exchange.ts';

/** A request as it is sent, but for its credentials. */
export interface Provocation extends Sent {
  headers: Record<string, string>;
}

interface Operation {
  operationId: string;
  method: string;
  path: string;
}

/** Every operation of the contract, on this workspace and branch. */
export function operations(workspaceId: string, branchId: string): Operation[] {
  return Object.entries<Record<string, unknown>>(contract.paths).flatMap(([template, item]) =>
    Object.entries(item).flatMap(([method, operation]) => {
      const { operationId } = Object(operation);
      const path = template.replace('{workspaceId}', workspaceId).replace('{branchId}', branchId);
      return operationId === undefined ? [] : [{ operationId, method: method.toUpperCase(), path }];
    }),
  );
}

/** What an operation takes, with the text wherever a client may put one; undefined for one without a body. */
export function goodBody(operationId: string, text: string): unknown {
  const userEmail = `user-${text}@example.com`;
  switch (operationId) {
    case 'createBranch':
      return { name: `${text}-${randomUUID()}`, note: text };
    case 'changeBranchStatus':
      return { branchStatus: 'ReadyForReview', userEmail };
    case 'addCollaborator':
      return { collaboratorEmail: `${randomUUID()}-${text}@example.com`, userEmail };
    case 'recordPublication':
      return { userEmail };
    case 'finishOidcSignIn':
      return { callbackQuery: `code=${text}&state=${text}` };
    case 'ingestBatch':
      return batchOf([eventReport(text, [{ name: text, type: 'int' }]), { [text]: text }], {
        app: { id: text, name: text, version: text },
      });
    default:
      return undefined;
  }
}

/** An operation with headers, bodies, queries and paths that hold the text, from well made to not made at all. */
export function* provocations({ operationId, method, path }: Operation, text: string): Generator<Provocation> {
  const json = {
    'content-type': 'application/json',
    cookie: text,
    // Else requests with a cookie, or to sign in, are refused at once.
    'sec-fetch-site': 'same-origin',
    'user-agent': text,
    'x-note': text,
  };
  const body = goodBody(operationId, text);
  if (body === undefined) {
    yield { method, path, headers: json };
    for (const name of ['eventName', 'source', 'appVersion', 'environment', 'cursor', 'limit', 'branchStatus']) {
      yield { method, path: `${path}?${name}=${text}`, headers: json };
    }
    yield { method, path: `${path}?branchStatuses=${text}&safe=${text}`, headers: json };
  } else {
    const good = JSON.stringify(body);
    yield { method, path, headers: json, body: good };
    yield { method, path, headers: json, body: good };
    const bad = [`{"${text}`, `"${text}"`, `{"name":"${text}!","name":"${text}"}`, `{"__proto__":"${text}"}`, '', '[]'];
    for (const one of bad) yield { method, path, headers: json, body: one };
    yield {
      method,
      path,
      headers: json,
      body: JSON.stringify({ name: ` ${text} `, batchId: text, branchStatus: text }),
    };
    yield { method, path, headers: { ...json, 'content-type': `text/${text}` }, body: text };
    yield { method, path, headers: { ...json, 'content-encoding': 'gzip' }, body: gzipSync(good) };
    yield { method, path, headers: { ...json, 'content-encoding': 'gzip' }, body: text };
    yield { method, path, headers: json, body: text.repeat(200_000) };
  }
  yield { method: 'DELETE', path, headers: json };
  yield { method, path: path.replace(/[^/]+\/v1$/, `${text}/v1`), headers: json };
  yield { method, path: `/workspaces/%${text}`, headers: json };
  yield { method, path: `/workspaces/${text}/branches/v1`, headers: json };
  yield { method, path, headers: { ...json, 'x-note': text.repeat(3_000) } };
}
