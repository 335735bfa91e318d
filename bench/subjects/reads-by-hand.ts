import fastify, { type FastifyRequest } from 'fastify';
import type { components } from '../../server/generated/types.ts';
import type { BranchRow } from '../../server/branches/tables.ts';
import type { ObservedEventRow, ObservedShapeRow, ShapeRow } from '../../server/inspector/tables.ts';
import { openAsBranchlineDoes } from './by-hand.ts';
import { contractSchema, routeSchema } from './contract-route.ts';

type Schemas = components['schemas'];

/** The filters and cursors of the contract are checked; what is measured sends none but these. */
interface Read {
  Params: { workspaceId: string };
  Querystring: { limit: number; source?: string; environment?: string };
}

// Lists and reports as one writes them by hand: Fastify checks requests and writes answers by the contract's schemas, and each has one
// prepared statement. No authentication, no limits, no metrics, no log, no security headers.
const [file = '', webHost = ''] = process.argv.slice(2);
const database = openAsBranchlineDoes(file);
const app = fastify({ ajv: { customOptions: { strict: false } } });
app.addSchema(contractSchema);

const selectBranches = database.prepare(
  'select * from branches where workspace_id = ? order by created_at, branch_id limit ?',
);
app.get<Read>(
  '/workspaces/:workspaceId/branches/v1',
  { schema: routeSchema('/workspaces/{workspaceId}/branches/v1') },
  ({ params, query: { limit } }, reply) => {
    const rows = selectBranches.all(params.workspaceId, limit + 1) as unknown as BranchRow[];
    const { page, nextCursor } = cut(rows, limit, ({ created_at, branch_id }) => [created_at, branch_id]);
    reply.send({ branches: page.map(branchOf), nextCursor });
  },
);

const selectBranch = database.prepare('select * from branches where workspace_id = ? and branch_id = ?');
app.get<{ Params: { workspaceId: string; branchId: string } }>(
  '/workspaces/:workspaceId/branches/:branchId/v1',
  { schema: routeSchema('/workspaces/{workspaceId}/branches/{branchId}/v1') },
  ({ params }, reply) => {
    const row = selectBranch.get(params.workspaceId, params.branchId) as unknown as BranchRow | undefined;
    if (row === undefined) reply.code(404).send({ error: 'There is no such branch.' });
    else reply.send(branchOf(row));
  },
);

const selectEvents = database.prepare(
  `select * from observed_events where workspace_id = ? and source = ? and environment = ? and count > 0
   order by event_key, app_version limit ?`,
);
app.get<Read>(
  '/workspaces/:workspaceId/inspector/events/v1',
  { schema: routeSchema('/workspaces/{workspaceId}/inspector/events/v1') },
  (request, reply) => {
    const rows = selectEvents.all(...placeOf(request)) as unknown as ObservedEventRow[];
    const { page, nextCursor } = cut(rows, request.query.limit, (row) => [row.event_key, row.app_version]);
    reply.send({ events: page.map((row) => ({ ...sightingOf(row), shapes: row.shapes })), nextCursor });
  },
);

const selectShapes = database.prepare(
  `select seen.*, shapes.schema from observed_shapes as seen
   join shapes using (workspace_id, event_key, shape_id)
   where seen.workspace_id = ? and seen.source = ? and seen.environment = ? and seen.count > 0
   order by seen.event_key, seen.app_version, seen.shape_id limit ?`,
);
app.get<Read>(
  '/workspaces/:workspaceId/inspector/shapes/v1',
  { schema: routeSchema('/workspaces/{workspaceId}/inspector/shapes/v1') },
  (request, reply) => {
    const rows = selectShapes.all(...placeOf(request)) as unknown as (ObservedShapeRow & Pick<ShapeRow, 'schema'>)[];
    const { page, nextCursor } = cut(rows, request.query.limit, (row) => [
      row.event_key,
      row.app_version,
      row.shape_id,
    ]);
    reply.send({ shapes: page.map(shapeOf), nextCursor });
  },
);

process.stdout.write(`listens on ${await app.listen({ host: '127.0.0.1', port: 0 })}\n`);

/** One row more than a page has tells whether there is a next one. */
function cut<Row>(rows: Row[], limit: number, placeAfter: (row: Row) => unknown[]) {
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  const nextCursor = last === undefined ? null : Buffer.from(JSON.stringify(placeAfter(last))).toString('base64url');
  return { page, nextCursor };
}

function placeOf({ params, query }: FastifyRequest<Read>): [string, string, string, number] {
  return [params.workspaceId, query.source ?? '', query.environment ?? '', query.limit + 1];
}

function branchOf(row: BranchRow): Schemas['Branch'] {
  return {
    branchId: row.branch_id,
    branchName: row.name,
    branchUrl: `https://${webHost}/schemas/${encodeURIComponent(row.workspace_id)}/branches/${row.branch_id}`,
    branchStatus: row.status,
    branchCreatorId: row.creator_id,
    branchCreatorEmail: row.creator_email,
    creationDate: timeOf(row.created_at),
    collaborators: JSON.parse(row.collaborators),
    lastPublishedDate: optionalTimeOf(row.last_published_at),
    markedReadyForReviewDate: optionalTimeOf(row.ready_at),
    markedReadyForReviewerUserEmail: row.ready_email,
    branchMergedDate: optionalTimeOf(row.merged_at),
    branchMergedUserEmail: row.merged_email,
  };
}

function sightingOf(row: ObservedEventRow | ObservedShapeRow) {
  return {
    eventName: row.event_name,
    source: row.source,
    environment: row.environment,
    appVersion: row.app_version,
    count: row.count,
    firstSeen: timeOf(row.first_seen),
    lastSeen: timeOf(row.last_seen),
  };
}

function shapeOf(row: ObservedShapeRow & Pick<ShapeRow, 'schema'>): Schemas['ObservedShape'] {
  return { shapeId: row.shape_id, ...sightingOf(row), schema: JSON.parse(row.schema) };
}

function timeOf(time: number): string {
  return new Date(time).toISOString();
}

function optionalTimeOf(time: number | null): string | null {
  return time === null ? null : timeOf(time);
}
