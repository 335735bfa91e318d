import { takeTurn } from '@branchline/runtime';

/** Gives the items one by one; after some there is a turn, in which others have theirs. */
export async function* eachInTurns<Item>(
  workspaceId: string,
  items: Iterable<Item>,
  mostItems: number,
): AsyncGenerator<Item> {
  let given = 0;
  for (const item of items) {
    yield item;
    given += 1;
    if (given % mostItems === 0) await takeTurn(workspaceId);
  }
}
