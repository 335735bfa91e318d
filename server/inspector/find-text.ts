import { pauseAfter, takeTurn } from '@branchline/runtime';
import { foldCase } from './fold-case.ts';

/** Others get a turn after this number of characters: to put some of them in lower case takes many times as long as others. */
const CHARACTERS_IN_A_TURN = 64 * 1024;

/** Finds those of events whose names contain a text, in whatever case. One whose name was not read has none. */
export async function findText<Row extends { event_name?: string }>(
  workspaceId: string,
  rows: readonly Row[],
  text: string,
): Promise<Row[]> {
  const wanted = foldCase(text);
  const found: Row[] = [];
  const pause = pauseAfter(CHARACTERS_IN_A_TURN, () => takeTurn(workspaceId));
  // To read them took a turn.
  await takeTurn(workspaceId);
  for (const row of rows) {
    const { event_name = '' } = row;
    await pause(event_name.length);
    if (foldCase(event_name).includes(wanted)) found.push(row);
  }
  return found;
}
