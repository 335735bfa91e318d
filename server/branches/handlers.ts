import { actingOf, emailActedFor } from '../accounts/acting.ts';
import type { Authenticated, ProgramOrPerson } from '../accounts/principals.ts';
import type { Clock } from '../clock.ts';
import contract from '../generated/contract.json' with { type: 'json' };
import type { Handlers } from '../generated/handlers.ts';
import { readRows } from '../http/bounded-page.ts';
import { BAD_CURSOR, type CursorScope, decodeCursor, encodeCursor } from '../http/cursor.ts';
import type { Storage } from '../storage/storage.ts';
import { addingCollaborator, becoming, type Decide, publishing } from './decisions.ts';
import type { Actor } from './events.ts';
import { canonicalLink, contentDisposition, csvExport } from './export.ts';
import { ExportSpool } from './export-spool.ts';
import type { BranchStatus } from './lifecycle.ts';
import { rowSize } from './row-size.ts';
import { branchStore, type Place } from './store.ts';
import type { BranchRow } from './tables.ts';
import { branchUrl, branchView } from './view.ts';

/** How many branches a page holds unless the request says otherwise. */
const PAGE_SIZE = contract.components.parameters.Limit.schema.default;

/** "Branch Management HTTP API, Errors". */
const NAME_TAKEN = 'Branch with this name already exists';

export interface BranchDependencies {
  storage: Storage;
  clock: Clock;
  /** A new id, in the order of time. */
  newId: () => string;
  /** The most disk that exports may take for clients that are slower than the server; in MiB. Defaults to 1,024. */
  exportSpool?: number;
  /** Host of the web application, with its port if need be, for the URLs of branches. Known once the server listens. */
  webHost: () => string;
}

type Operation =
  | 'createBranch'
  | 'listBranches'
  | 'getBranch'
  | 'changeBranchStatus'
  | 'addCollaborator'
  | 'recordPublication'
  | 'exportBranchStats'
  | 'exportBranchStatsFromSamplePath';

/** The operations on branches, and their export. */
export function branchHandlers(dependencies: BranchDependencies): Pick<Handlers<Authenticated>, Operation> {
  const { storage, clock, newId, webHost, exportSpool = 1_024 } = dependencies;
  const store = branchStore(storage);
  const spool = new ExportSpool({ folder: storage.scratchFolder, bytes: exportSpool * 1_048_576 });

  async function change(who: ProgramOrPerson, branchId: string, userEmail: string | undefined, decide: Decide) {
    const changed = await store.change({
      workspaceId: actingOf(who).workspaceId,
      branchId,
      actor: actor(who, userEmail),
      at: clock(),
      decide,
    });
    if (changed === 'notFound') return notFound(branchId);
    if (changed === 'nameTaken') return conflict(NAME_TAKEN);
    if ('refused' in changed) return conflict(changed.refused);
    return { status: 200 as const, body: branchView(changed.branch, webHost()) };
  }

  function exportCsv(who: ProgramOrPerson, query: { branchStatuses?: BranchStatus[]; safe?: 'spreadsheet' }) {
    const { workspaceId } = actingOf(who);
    const branches = store.stream({ workspaceId, statuses: query.branchStatuses });
    return {
      status: 200 as const,
      headers: { 'Content-Disposition': contentDisposition(workspaceId) },
      body: spool.pass(
        workspaceId,
        csvExport(branches, { holder: workspaceId, forSpreadsheet: query.safe === 'spreadsheet' }),
      ),
    };
  }

  return {
    async createBranch({ body, principals }) {
      const { workspaceId } = actingOf(principals);
      const branchId = newId();
      const branch = await store.create({
        workspaceId,
        branchId,
        name: body.name,
        actor: actor(principals),
        at: clock(),
      });
      if (branch === undefined) return conflict(NAME_TAKEN);
      return {
        status: 201,
        headers: { Location: `/workspaces/${encodeURIComponent(workspaceId)}/branches/${branchId}/v1` },
        body: { branchId, branchName: branch.name, branchUrl: branchUrl(branch, webHost()) },
      };
    },

    async listBranches({ query, principals }) {
      const { workspaceId } = actingOf(principals);
      const filter = { workspaceId, statuses: query.branchStatus };
      const scope: CursorScope = ['branches', workspaceId, filter.statuses && [...new Set(filter.statuses)].toSorted()];
      const after = query.cursor === undefined ? undefined : decodeCursor(scope, query.cursor, ['number', 'string']);
      if (query.cursor !== undefined && after === undefined) return { status: 400, body: { error: BAD_CURSOR } };
      const { rows, hasMore } = await readRows<BranchRow>({
        holder: workspaceId,
        limit: query.limit ?? PAGE_SIZE,
        read: (last, count) => store.page(filter, last === undefined ? after : placeOf(last), count),
        sizeOf: rowSize,
      });
      const last = hasMore ? rows.at(-1) : undefined;
      const nextCursor = last === undefined ? null : encodeCursor(scope, placeOf(last));
      return { status: 200, body: { branches: rows.map((branch) => branchView(branch, webHost())), nextCursor } };
    },

    async getBranch({ params: { branchId }, principals }) {
      const branch = await store.find({ workspaceId: actingOf(principals).workspaceId, branchId });
      return branch === undefined ? notFound(branchId) : { status: 200, body: branchView(branch, webHost()) };
    },

    changeBranchStatus: ({ params, body, principals }) =>
      change(principals, params.branchId, body.userEmail, becoming(body.branchStatus)),

    addCollaborator: ({ params, body, principals }) =>
      change(principals, params.branchId, body.userEmail, addingCollaborator(body.collaboratorEmail)),

    async recordPublication({ params, body, principals }) {
      const reply = await change(principals, params.branchId, body.userEmail, publishing);
      if (reply.status === 409) throw new Error(`A publication was refused: ${reply.body.error}`);
      return reply;
    },

    exportBranchStats: ({ query, principals }) => exportCsv(principals, query),

    exportBranchStatsFromSamplePath({ query, principals }) {
      const reply = exportCsv(principals, query);
      return { ...reply, headers: { ...reply.headers, Link: canonicalLink(actingOf(principals).workspaceId) } };
    },
  };
}

function placeOf({ created_at, branch_id }: BranchRow): Place {
  return [created_at, branch_id];
}

function actor(who: ProgramOrPerson, userEmail?: string): Actor {
  return { actorId: actingOf(who).id, userEmail: emailActedFor(who, userEmail) };
}

function notFound(branchId: string) {
  return { status: 404 as const, body: { error: `No branch of this workspace has the id ${branchId}.` } };
}

function conflict<const Sentence extends string>(error: Sentence) {
  return { status: 409 as const, body: { error } };
}
