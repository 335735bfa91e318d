import type { CaseResult, Exchange } from '../../result.ts';
import { describeCase } from './case.ts';
import { exchangeSection } from './exchange.ts';
import { type Markup, html } from './markup.ts';
import type { Room } from './room.ts';

/** What a page shows of the cases beyond their titles. */
export interface Evidence {
  readonly byCase: ReadonlyMap<CaseResult, Markup>;
  /** How many exchanges it has no room for. */
  readonly leftOut: number;
}

/**
 * Chooses what is shown: of failures what was wrong and the exchange that ended each, then the words of all others, then all
 * other exchanges, those of failures first.
 */
export function chooseEvidence(results: readonly CaseResult[], room: Room): Evidence {
  const failed = results.filter(isFailure);
  const sorted = [...failed, ...results.filter((result) => !isFailure(result))];
  const choice = new Choice(room);
  for (const result of failed) choice.offer(result, describeCase(result));
  for (const result of failed) choice.offerExchange(result, result.exchanges.length - 1);
  for (const result of sorted) if (!isFailure(result)) choice.offer(result, describeCase(result));
  for (const result of sorted) for (const index of result.exchanges.keys()) choice.offerExchange(result, index);
  const all = results.reduce((sum, { exchanges }) => sum + exchanges.length, 0);
  return { byCase: new Map(results.map((result) => [result, choice.show(result)])), leftOut: all - choice.exchanges };
}

function isFailure({ state }: CaseResult): boolean {
  return state === 'fail' || state === 'error';
}

class Choice {
  readonly #room: Room;
  readonly #words = new Map<CaseResult, Markup>();
  readonly #exchanges = new Map<CaseResult, Map<number, Markup>>();
  exchanges = 0;

  constructor(room: Room) {
    this.#room = room;
  }

  offer(result: CaseResult, words: Markup | undefined): void {
    const taken = words === undefined ? undefined : this.#room.take(words);
    if (taken !== undefined) this.#words.set(result, taken);
  }

  offerExchange(result: CaseResult, index: number): void {
    const exchange: Exchange | undefined = result.exchanges[index];
    const mine = this.#exchanges.get(result) ?? new Map<number, Markup>();
    const taken = exchange === undefined || mine.has(index) ? undefined : this.#room.take(exchangeSection(exchange));
    if (taken === undefined) return;
    this.exchanges += 1;
    this.#exchanges.set(result, mine.set(index, taken));
  }

  /** In the order in which they were sent. */
  show(result: CaseResult): Markup {
    const mine = this.#exchanges.get(result);
    const shown = result.exchanges.flatMap((_, index) => mine?.get(index) ?? []);
    return html`${this.#words.get(result)}${shown}`;
  }
}
