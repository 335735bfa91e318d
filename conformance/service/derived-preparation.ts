import { bodyValue, type Case, isJsonObject, type Json } from '@branchline/contract';
import type { Prepared } from '../derived/request.ts';
import { STATUSES, type Status } from './seeding.ts';
import type { ServiceContext } from './context.ts';

/** Makes what a case needs: a name that is free, or a branch that it can act upon. */
export async function prepare(context: ServiceContext, one: Case, bodies: Record<string, Json>): Promise<Prepared> {
  const path = { workspaceId: context.session.workspace };
  if (one.operationId === 'createBranch') {
    return { path, body: (body) => (isJsonObject(body) ? { ...body, name: context.name() } : body) };
  }
  if (!one.path.includes('{branchId}')) return { path };
  const body = one.operationId === 'changeBranchStatus' ? bodyValue(one.request.body, bodies) : undefined;
  const wanted = readStatus(body);
  const branchId = wanted === undefined ? await findAnyBranch(context) : await createBranchFor(context, wanted, body);
  return { path: { ...path, branchId } };
}

/** One for all cases that change nothing, or nothing that matters. */
function findAnyBranch(context: ServiceContext): Promise<string> {
  return context.share('any branch', async (maker) => (await maker.createBranch()).branchId);
}

/** The status from which a branch can take another; `undefined` stands for the one it begins with. */
const BEFORE: Partial<Record<Status, Status>> = { Approved: 'ReadyForReview', Merged: 'Approved' };

/** A branch that can become `wanted`; where the body names the status that was seen, one that is so already, whatever was seen. */
async function createBranchFor(context: ServiceContext, wanted: Status, body: Json | undefined): Promise<string> {
  const namesSeen = isJsonObject(body) && body['fromStatus'] !== undefined;
  const needed = namesSeen && wanted !== 'Draft' ? wanted : BEFORE[wanted];
  const { branchId } = needed === undefined ? await context.createBranch() : await context.createInStatus(needed);
  return branchId;
}

function readStatus(body: Json | undefined): Status | undefined {
  const wanted = isJsonObject(body) ? body['branchStatus'] : undefined;
  return STATUSES.find((status) => status === wanted);
}
