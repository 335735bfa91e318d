import { resetConnection } from '@branchline/runtime';
import { resolveActingAccount, resolveUserEmail } from '../accounts/acting-account.ts';
import type { Authenticated, ProgramOrPerson } from '../accounts/principals.ts';
import type { Clock } from '../clock.ts';
import type { ExportBranchStatsRequest, Handlers } from '../generated/handlers.ts';
import { BAD_CURSOR, type CursorScope, decodeCursor, encodeCursor } from '../http/cursor.ts';
import { PAGE_SIZE, readKeysetPage } from '../http/keyset-page.ts';
import type { Storage } from '../storage/storage.ts';
import { activityView } from './activity.ts';
import { addCollaborator, changeStatus, type Decide, publish } from './decisions.ts';
import type { Actor } from './events.ts';
import { canonicalLink, contentDisposition, csvExport } from './export.ts';
import { ExportSpool } from './export-spool.ts';
import type { BranchList } from './list.ts';
import { branchStore } from './store.ts';
import { branchUrl, branchView } from './view.ts';

/** "Branch Management HTTP API, Errors". */
const NAME_TAKEN = 'Branch with this name already exists';

export interface BranchDependencies {
  storage: Storage;
  clock: Clock;
  /** Generates an id, in time order. */
  newId: () => string;
  /** The maximum disk space of exports for slow clients, in MiB. Defaults to 1,024. */
  exportSpool?: number;
  /** Host of the web application, with its port if needed, for the URLs of branches. Known once the server listens. */
  webHost: () => string;
}

type Operation =
  | 'createBranch'
  | 'listBranches'
  | 'countBranches'
  | 'getBranch'
  | 'listBranchActivity'
  | 'changeBranchStatus'
  | 'addCollaborator'
  | 'recordPublication'
  | 'exportBranchStats'
  | 'exportBranchStatsFromSamplePath';

/** The operations on branches, and their export. */
export function branchHandlers(dependencies: BranchDependencies): Pick<Handlers<Authenticated>, Operation> {
  const { storage, clock, newId, webHost, exportSpool = 1_024 } = dependencies;
  const store = branchStore(storage);
  const spool = new ExportSpool({ disk: storage.scratchDisk, bytes: exportSpool * 1_048_576 });

  async function change(who: ProgramOrPerson, branchId: string, userEmail: string | undefined, decide: Decide) {
    const changed = await store.change({
      workspaceId: resolveActingAccount(who).workspaceId,
      branchId,
      actor: actor(who, userEmail),
      clock,
      decide,
    });
    if (changed === 'notFound') return notFound(branchId);
    if (changed === 'nameTaken') return conflict(NAME_TAKEN);
    if ('refused' in changed) return conflict(changed.refused);
    return { status: 200 as const, body: branchView(changed.branch, webHost()) };
  }

  function exportCsv({ principals, query, raw: { log, raw } }: ExportBranchStatsRequest<Authenticated>) {
    const { workspaceId } = resolveActingAccount(principals);
    const branches = store.stream({ workspaceId, statuses: query.branchStatuses });
    return {
      status: 200 as const,
      headers: { 'Content-Disposition': contentDisposition(workspaceId) },
      body: spool.pass({
        workspaceId,
        body: csvExport(branches, { holder: workspaceId, forSpreadsheet: query.safe === 'spreadsheet' }),
        breakOff(error) {
          log.error({ err: error }, 'an export failed; its connection is reset');
          resetConnection(raw.socket);
        },
      }),
    };
  }

  return {
    async createBranch({ body, principals }) {
      const { workspaceId } = resolveActingAccount(principals);
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
      const { limit = PAGE_SIZE, cursor, branchStatus: statuses, branchCreatorId: creatorId, ...rest } = query;
      const { workspaceId } = resolveActingAccount(principals);
      const list: BranchList = { ...rest, workspaceId, statuses, creatorId, text: query.text?.toLowerCase() };
      const scope = listScope(list);
      const after = cursor === undefined ? undefined : decodeCursor(scope, cursor, ['number', 'string']);
      if (cursor !== undefined && after === undefined) return badCursor;
      const { branches, next } = await store.page(list, { after, limit });
      const nextCursor = next === undefined ? null : encodeCursor(scope, next);
      const host = webHost();
      return { status: 200, body: { branches: branches.map((branch) => branchView(branch, host)), nextCursor } };
    },

    async countBranches({ principals }) {
      return { status: 200, body: { counts: await store.count(resolveActingAccount(principals).workspaceId) } };
    },

    async getBranch({ params: { branchId }, principals }) {
      const branch = await store.find({ workspaceId: resolveActingAccount(principals).workspaceId, branchId });
      return branch === undefined ? notFound(branchId) : { status: 200, body: branchView(branch, webHost()) };
    },

    async listBranchActivity({ params: { branchId }, query, principals }) {
      const { workspaceId } = resolveActingAccount(principals);
      const page = await readKeysetPage(
        {
          holder: workspaceId,
          scope: ['branch activity', workspaceId, branchId],
          shape: ['number'],
          read: (after, limit) => store.activity({ workspaceId, branchId }, after?.[0] ?? 0, limit),
          placeOf: ({ sequence }) => [sequence],
        },
        query,
      );
      if (page === undefined) return badCursor;
      // A position past the end has an empty page.
      if (page.entries.length === 0 && (await store.find({ workspaceId, branchId })) === undefined)
        return notFound(branchId);
      return { status: 200, body: { activity: page.entries.map(activityView), nextCursor: page.nextCursor } };
    },

    changeBranchStatus: ({ params, body, principals }) =>
      change(principals, params.branchId, body.userEmail, changeStatus(body.branchStatus, body.fromStatus)),

    addCollaborator: ({ params, body, principals }) =>
      change(principals, params.branchId, body.userEmail, addCollaborator(body.collaboratorEmail)),

    async recordPublication({ params, body, principals }) {
      const reply = await change(principals, params.branchId, body.userEmail, publish);
      if (reply.status === 409) throw new Error(`A publication was refused: ${reply.body.error}`);
      return reply;
    },

    exportBranchStats: exportCsv,

    exportBranchStatsFromSamplePath(request) {
      const reply = exportCsv(request);
      return {
        ...reply,
        headers: { ...reply.headers, Link: canonicalLink(resolveActingAccount(request.principals).workspaceId) },
      };
    },
  };
}

/** Identifies a list's filters and order; the same list always has the same text. */
function listScope({
  workspaceId,
  statuses,
  creatorId,
  collaboratorEmail,
  text,
  sort = 'oldest',
}: BranchList): CursorScope {
  const sorted = statuses && [...new Set(statuses)].toSorted();
  return ['branches', workspaceId, sorted, sort, creatorId, collaboratorEmail, text];
}

const badCursor = { status: 400 as const, body: { error: BAD_CURSOR } };

function actor(who: ProgramOrPerson, userEmail?: string): Actor {
  return { actorId: resolveActingAccount(who).id, userEmail: resolveUserEmail(who, userEmail) };
}

function notFound(branchId: string) {
  return { status: 404 as const, body: { error: `No branch of this workspace has the id ${branchId}.` } };
}

function conflict<const Sentence extends string>(error: Sentence) {
  return { status: 409 as const, body: { error } };
}
