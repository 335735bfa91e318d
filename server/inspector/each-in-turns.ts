import { takeTurn } from '@branchline/runtime';

/** After how many items a turn is waited for unless it is told: with some microseconds of work for each, after a few milliseconds. */
const MOST_ITEMS = 1_000;

/** Gives the items one by one; after some there is a turn, in which others have theirs. */
export async function* eachInTurns<Item>(
  workspaceId: string,
  items: Iterable<Item>,
  mostItems = MOST_ITEMS,
): AsyncGenerator<Item> {
  let given = 0;
  for (const item of items) {
    yield item;
    given += 1;
    if (given % mostItems === 0) await takeTurn(workspaceId);
  }
}
