import { bodyValue, type Case, isJsonObject, type Json } from '@branchline/contract';
import type { Prepared } from '../runner/request.ts';
import { STATUSES, type Status } from './seeding.ts';
import type { Trial } from './trial.ts';

/** Makes what a case needs: a name that is free, or a branch that it can act upon. */
export async function preparedFor(trial: Trial, one: Case, bodies: Record<string, Json>): Promise<Prepared> {
  const path = { workspaceId: trial.session.workspace };
  if (one.operationId === 'createBranch') {
    return { path, body: (body) => (isJsonObject(body) ? { ...body, name: trial.name() } : body) };
  }
  if (!one.path.includes('{branchId}')) return { path };
  const wanted = one.operationId === 'changeBranchStatus' ? statusIn(bodyValue(one.request.body, bodies)) : undefined;
  const branchId = wanted === undefined ? await anyBranch(trial) : await branchBefore(trial, wanted);
  return { path: { ...path, branchId } };
}

/** One for all cases that change nothing, or nothing that matters. */
function anyBranch(trial: Trial): Promise<string> {
  return trial.shared('any branch', async (maker) => (await maker.created()).branchId);
}

/** A branch that can become `wanted`. */
async function branchBefore(trial: Trial, wanted: Status): Promise<string> {
  const before: Partial<Record<Status, Status>> = { Approved: 'ReadyForReview', Merged: 'Approved' };
  const needed = before[wanted];
  const { branchId } = needed === undefined ? await trial.created() : await trial.seeded(needed);
  return branchId;
}

function statusIn(body: Json | undefined): Status | undefined {
  const wanted = isJsonObject(body) ? body['branchStatus'] : undefined;
  return STATUSES.find((status) => status === wanted);
}
