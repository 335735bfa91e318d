import { takeTurn } from '@branchline/runtime';
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { MOST_CHARACTERS, readRows } from '../http/bounded-page.ts';
import { contains } from '../storage/contains.ts';
import type { Tables } from '../storage/tables.ts';
import { type BranchFilter, takeFirstInOrder, type Sort } from './branch-order.ts';
import { rowSize } from './row-size.ts';
import type { BranchRow } from './tables.ts';

/** Which branches are listed, and how they are sorted; what is left out may be any. */
export interface BranchList extends BranchFilter {
  /** The e-mail of a collaborator; capital letters from A to Z make no difference. */
  collaboratorEmail?: string | undefined;
  /** What the name contains; in lower case, as names are. */
  text?: string | undefined;
  /** Defaults to `oldest`. */
  sort?: Sort | undefined;
}

/** The place in the order of branches after which a page begins. */
export type Place = readonly [createdAt: number, branchId: string];

export interface BranchPage {
  branches: BranchRow[];
  /** After which the next page begins; undefined on the last one. */
  next: Place | undefined;
}

/** How far a list goes. */
export interface PageBounds {
  after?: Place | undefined;
  /** The most branches of the page. */
  limit: number;
  /** The most branches that are looked at for what no index knows: texts and collaborators. Defaults to 5,000. */
  mostSearched?: number;
}

/** How many branches are looked at in one step, which takes a few milliseconds of the thread. */
const STEP = 1_000;

/** One page of a list. It is shorter than its limit, and has a `next`, when the search has ended before the list. */
export async function branchPage(db: Kysely<Tables>, list: BranchList, bounds: PageBounds): Promise<BranchPage> {
  const { after, limit, mostSearched = 5_000 } = bounds;
  const searches = list.text !== undefined || list.collaboratorEmail !== undefined;
  if (!searches) return endedAt(await read(db, list, { after }, limit), undefined);
  const branches: BranchRow[] = [];
  let place = after;
  for (let left = mostSearched; left > 0; left -= STEP) {
    await takeTurn(list.workspaceId);
    const until = await placeAfter(db, list, place, Math.min(STEP, left));
    const { rows, hasMore } = await read(db, list, { after: place, until }, limit - branches.length);
    branches.push(...rows);
    const isFull =
      branches.length === limit || branches.reduce((size, row) => size + rowSize(row), 0) >= MOST_CHARACTERS;
    if (hasMore || isFull || until === undefined) return endedAt({ rows: branches, hasMore }, until);
    place = until;
  }
  return endedAt({ rows: branches, hasMore: false }, place);
}

/** @param searchedUntil where the search ended, if all that was found there is in `rows`; undefined: at the end of the list */
function endedAt({ rows, hasMore }: FoundRows, searchedUntil: Place | undefined): BranchPage {
  const last = hasMore ? rows.at(-1) : undefined;
  return { branches: rows, next: last === undefined ? searchedUntil : toPlace(last) };
}

/** A part of the order: what comes after one place, until another and with it. */
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

/** The place of the branch that is so many steps after another place; undefined when there are not as many. */
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

function within({ after, until }: Stretch, sort: Sort): RawBuilder<SqlBool>[] {
  const [isAfter, isUntil] = sort === 'newest' ? [sql`<`, sql`>=`] : [sql`>`, sql`<=`];
  return [
    ...(after === undefined ? [] : [sql<SqlBool>`(created_at, branch_id) ${isAfter} (${after[0]}, ${after[1]})`]),
    ...(until === undefined ? [] : [sql<SqlBool>`(created_at, branch_id) ${isUntil} (${until[0]}, ${until[1]})`]),
  ];
}

/** Neither SQLite nor the collation "C", which the column has with PostgreSQL, knows capital letters but A to Z. */
const LOWERED = sql<string>`lower(collaborators)`;

/**
 * Collaborators are stored as a JSON array without spaces. In it a quotation mark after `[` or `,` either begins an e-mail or,
 * where that ends in a comma, ends it, and then `,` or `]` follows, with which no such text goes on.
 */
function hasCollaborator(db: Kysely<Tables>, email: string): RawBuilder<SqlBool> {
  const wanted = JSON.stringify(email).replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  const [first, later] = ['[', ','].map((before) => contains(db, LOWERED, before + wanted));
  return sql`(${first} or ${later})`;
}
