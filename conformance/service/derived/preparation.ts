import { bodyValue, type Case, isJsonObject, type Json } from '@branchline/contract';
import type { Prepared } from '../../derived/request.ts';
import { STATUSES, type Status } from '../seeding.ts';
import type { Trial } from '../context.ts';

/** Makes what a case needs: a name that is free, or a branch that it can act upon. */
export async function preparedFor(trial: Trial, one: Case, bodies: Record<string, Json>): Promise<Prepared> {
  const path = { workspaceId: trial.session.workspace };
  if (one.operationId === 'createBranch') {
    return { path, body: (body) => (isJsonObject(body) ? { ...body, name: trial.name() } : body) };
  }
  if (!one.path.includes('{branchId}')) return { path };
  const body = one.operationId === 'changeBranchStatus' ? bodyValue(one.request.body, bodies) : undefined;
  const wanted = statusIn(body);
  const branchId = wanted === undefined ? await anyBranch(trial) : await branchFor(trial, wanted, body);
  return { path: { ...path, branchId } };
}

/** One for all cases that change nothing, or nothing that matters. */
function anyBranch(trial: Trial): Promise<string> {
  return trial.shared('any branch', async (maker) => (await maker.created()).branchId);
}

/** The status from which a branch can take another; `undefined` stands for the one it begins with. */
const BEFORE: Partial<Record<Status, Status>> = { Approved: 'ReadyForReview', Merged: 'Approved' };

/** A branch that can become `wanted`; where the body names the status that was seen, one that is so already, whatever was seen. */
async function branchFor(trial: Trial, wanted: Status, body: Json | undefined): Promise<string> {
  const namesSeen = isJsonObject(body) && body['fromStatus'] !== undefined;
  const needed = namesSeen && wanted !== 'Draft' ? wanted : BEFORE[wanted];
  const { branchId } = needed === undefined ? await trial.created() : await trial.seeded(needed);
  return branchId;
}

function statusIn(body: Json | undefined): Status | undefined {
  const wanted = isJsonObject(body) ? body['branchStatus'] : undefined;
  return STATUSES.find((status) => status === wanted);
}
