import { takeTurn } from '@branchline/runtime';
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { MOST_CHARACTERS, readRows } from '../http/bounded-page.ts';
import { contains, containsInAnyCase } from '../storage/contains.ts';
import type { Tables } from '../storage/tables.ts';
import { type BranchFilter, takeFirstInOrder, type Sort } from './branch-order.ts';
import { rowSize } from './row-size.ts';
import type { BranchRow } from './tables.ts';

/** The filters and order of a list; a filter that is left out matches all. */
export interface BranchList extends BranchFilter {
  /** The e-mail of a collaborator; the letters A to Z match in either case. */
  collaboratorEmail?: string | undefined;
  /** A part of the name; in lower case, as names are. */
  text?: string | undefined;
  /** Defaults to `oldest`. */
  sort?: Sort | undefined;
}

/** The position in the order of branches after which a page begins. */
export type Place = readonly [createdAt: number, branchId: string];

export interface BranchPage {
  branches: BranchRow[];
  /** The position after which the next page begins; undefined on the last page. */
  next: Place | undefined;
}

/** The bounds of a page. */
export interface PageBounds {
  after?: Place | undefined;
  /** The maximum number of branches in the page. */
  limit: number;
  /** The maximum number of branches searched for filters without an index: texts and collaborators. Defaults to 5,000. */
  mostSearched?: number;
  /**
   * The bytes of collaborators searched per step, which blocks the thread for a few milliseconds: a branch may have 75 KB of them.
   * Defaults to 1 MiB.
   */
  stepBytes?: number;
}

/** The number of branches searched per step, which blocks the thread for a few milliseconds. */
const STEP = 1_000;

/** Returns a page of a list. If the search ends before the list, the page is shorter than its limit and has a `next`. */
export async function branchPage(db: Kysely<Tables>, list: BranchList, bounds: PageBounds): Promise<BranchPage> {
  const { after, limit } = bounds;
  const searches = list.text !== undefined || list.collaboratorEmail !== undefined;
  if (!searches) return endedAt(await read(db, list, { after }, limit), undefined);
  const branches: BranchRow[] = [];
  let place = after;
  for await (const until of stretchEnds(db, list, bounds)) {
    const { rows, hasMore } = await read(db, list, { after: place, until }, limit - branches.length);
    branches.push(...rows);
    const isFull =
      branches.length === limit || branches.reduce((size, row) => size + rowSize(row), 0) >= MOST_CHARACTERS;
    if (hasMore || isFull || until === undefined) return endedAt({ rows: branches, hasMore }, until);
    place = until;
  }
  return endedAt({ rows: branches, hasMore: false }, place);
}

/** Where the stretches end that are searched in one step each, which is then the caller's; `undefined`: at the end of the list. */
async function* stretchEnds(
  db: Kysely<Tables>,
  list: BranchList,
  { after, mostSearched = 5_000, stepBytes = 1_048_576 }: PageBounds,
): AsyncGenerator<Place | undefined> {
  let place = after;
  for (let left = mostSearched; left > 0; left -= STEP) {
    await takeTurn(list.workspaceId);
    const steps = Math.min(STEP, left);
    const ends =
      list.collaboratorEmail === undefined
        ? [await placeAfter(db, list, place, steps)]
        : cutBySize(await nextSizes(db, list, place, steps), steps, stepBytes);
    for (const [index, end] of ends.entries()) {
      if (index > 0) await takeTurn(list.workspaceId);
      yield end;
      place = end;
    }
  }
}

/** @param searchedUntil where the search ended, if `rows` has everything found; undefined: at the end of the list */
function endedAt({ rows, hasMore }: FoundRows, searchedUntil: Place | undefined): BranchPage {
  const last = hasMore ? rows.at(-1) : undefined;
  return { branches: rows, next: last === undefined ? searchedUntil : toPlace(last) };
}

/** A range of the order: after one position, up to and including another. */
interface Stretch {
  after?: Place | undefined;
  until?: Place | undefined;
}

interface FoundRows {
  rows: BranchRow[];
  hasMore: boolean;
}

function read(db: Kysely<Tables>, list: BranchList, { after, until }: Stretch, limit: number): Promise<FoundRows> {
  const { workspaceId, sort = 'oldest', text, collaboratorEmail } = list;
  const conditions = [
    ...(text === undefined ? [] : [contains(db, 'name', text)]),
    ...(collaboratorEmail === undefined ? [] : [hasCollaborator(db, collaboratorEmail)]),
  ];
  return readRows<BranchRow>({
    holder: workspaceId,
    limit,
    sizeOf: rowSize,
    read: (last, count) => {
      const stretch = { after: last === undefined ? after : toPlace(last), until };
      return takeFirstInOrder(db, list, { sort, limit: count }, (branches) =>
        branches.selectAll().where((row) => row.and([...within(stretch, sort), ...conditions])),
      );
    },
  });
}

function toPlace({ created_at, branch_id }: BranchRow): Place {
  return [created_at, branch_id];
}

/** The position of the branch this many steps after another one; undefined if there are fewer. */
async function placeAfter(
  db: Kysely<Tables>,
  list: BranchList,
  after: Place | undefined,
  steps: number,
): Promise<Place | undefined> {
  const { sort = 'oldest' } = list;
  const [row] = await takeFirstInOrder(db, list, { sort, skip: steps - 1, limit: 1 }, (branches) =>
    branches.select(['created_at', 'branch_id']).where((one) => one.and(within({ after }, sort))),
  );
  return row && [row.created_at, row.branch_id];
}

interface Sized {
  created_at: number;
  branch_id: string;
  /** Those of the collaborators. */
  bytes: number;
}

/** The next branches. Their collaborators are not read for it. */
function nextSizes(db: Kysely<Tables>, list: BranchList, after: Place | undefined, limit: number): Promise<Sized[]> {
  const { sort = 'oldest' } = list;
  return takeFirstInOrder(db, list, { sort, limit }, (branches) =>
    branches
      .select(['created_at', 'branch_id', sql<number>`octet_length(collaborators)`.as('bytes')])
      .where((one) => one.and(within({ after }, sort))),
  );
}

/**
 * Positions between which there are no more bytes than asked for, but for those of one branch.
 *
 * @param wanted how many branches were asked for; where there are fewer, the last position is the end of the list
 */
function cutBySize(branches: readonly Sized[], wanted: number, most: number): (Place | undefined)[] {
  const places: (Place | undefined)[] = [];
  let bytes = 0;
  let last: Place | undefined;
  for (const branch of branches) {
    if (last !== undefined && bytes + branch.bytes > most) {
      places.push(last);
      bytes = 0;
    }
    bytes += branch.bytes;
    last = [branch.created_at, branch.branch_id];
  }
  return [...places, branches.length < wanted ? undefined : last];
}

function within({ after, until }: Stretch, sort: Sort): RawBuilder<SqlBool>[] {
  const [isAfter, isUntil] = sort === 'newest' ? [sql`<`, sql`>=`] : [sql`>`, sql`<=`];
  return [
    ...(after === undefined ? [] : [sql<SqlBool>`(created_at, branch_id) ${isAfter} (${after[0]}, ${after[1]})`]),
    ...(until === undefined ? [] : [sql<SqlBool>`(created_at, branch_id) ${isUntil} (${until[0]}, ${until[1]})`]),
  ];
}

/**
 * Collaborators are stored as a JSON array without spaces. In it a quotation mark after a comma begins an e-mail, or ends one
 * that ends in a comma; after the latter comes `,` or `]`, with which the searched text never continues.
 */
function hasCollaborator(db: Kysely<Tables>, email: string): RawBuilder<SqlBool> {
  const wanted = JSON.stringify(email);
  const first = `[${wanted}`;
  const beginning = sql<string>`substr(collaborators, 1, ${[...first].length})`;
  return sql`(${containsInAnyCase(db, beginning, first)} or ${containsInAnyCase(db, 'collaborators', `,${wanted}`)})`;
}
