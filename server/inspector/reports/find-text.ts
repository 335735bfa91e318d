import { takeTurn } from '@branchline/runtime';
import type { EventNameRow } from '../tables.ts';

export type EventName = Pick<EventNameRow, 'event_key' | 'event_name'>;

/** Others get a turn after this number of characters: to put some of them in lower case takes many times as long as others. */
const CHARACTERS_IN_A_TURN = 64 * 1024;

/** Finds the events whose names contain a text, in whatever case. */
export async function findText(workspaceId: string, events: readonly EventName[], text: string): Promise<EventName[]> {
  const lower = text.toLowerCase();
  const found: EventName[] = [];
  // To read them took a turn.
  let inTurn = CHARACTERS_IN_A_TURN;
  for (const event of events) {
    inTurn += event.event_name.length;
    if (inTurn > CHARACTERS_IN_A_TURN) {
      await takeTurn(workspaceId);
      inTurn = event.event_name.length;
    }
    if (event.event_name.toLowerCase().includes(lower)) found.push(event);
  }
  return found;
}
