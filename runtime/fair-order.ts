/** The most that one use counts, so that nobody is put off for long after one that took very long. */
const MOST_COUNTED = 1_000;

/** How much of what a holder did not use it may catch up with: so much that it comes before those whose use ends just now. */
const CREDIT = 10;

/** What is known of a holder. */
interface Past {
  /** Where its last use ended. */
  end: number;
  /** How much that was. */
  amount: number;
}

/** How many holders are remembered at least before those are forgotten that count as new. */
const MANY = 1_000;

/** One use of what is shared, as {@link FairOrder.begin} returns it. */
export interface Use {
  holder: string;
  /** Where it starts in the order. */
  start: number;
  since: number;
  part: number;
}

/**
 * The order in which holders come to what they share: start-time fair queueing (Goyal, Vin and Cheng, 1996). Each holder's next use
 * starts where its last one ended, but not long before that of whoever has come last. First comes whose next use would end first, if it
 * took as much as the last one. So one that asks for little comes before all that ask for all they can get, however many they are, and
 * those get the same amount each. Nobody saves up much of what they did not use; what nobody asked for puts all of them ahead, so that
 * one that was served alone is behind none of those that come anew.
 *
 * Amounts are milliseconds of all that is shared, and times those of any monotonic clock.
 */
export class FairOrder {
  readonly #credit: number;
  readonly #past = new Map<string, Past>();
  /** How much the use was that has ended last. */
  #lastAmount = 0;
  /** Where the use started of whoever has come last, or further on for what nobody has asked for since. */
  #now = 0;
  /** The part that is in use. */
  #used = 0;
  /** Since when nobody waits for what is not in use, as far as it has not been counted. */
  #idleSince: number | undefined;
  /** Past this number old ones are looked for. It grows with those that stay, so that the looks cost little for each use. */
  #many = MANY;

  /** @param credit how much of what a holder did not use it may catch up with. Defaults to 10 milliseconds */
  constructor(credit = CREDIT) {
    this.#credit = credit;
  }

  /** Where a holder's next use would start. */
  startOf(holder: string): number {
    return Math.max(this.#now - this.#credit, this.#endOf(holder));
  }

  /**
   * Who comes first: of those whose use would end at the same place whoever has ended first, and where that is the same, too,
   * whoever is named first. Undefined where there is nobody.
   */
  first(holders: Iterable<string>): string | undefined {
    let first: string | undefined;
    for (const holder of holders) if (first === undefined || this.#isBefore(holder, first)) first = holder;
    return first;
  }

  #isBefore(one: string, other: string): boolean {
    const [end, otherEnd] = [this.#nextEndOf(one), this.#nextEndOf(other)];
    return end === otherEnd ? this.#endOf(one) < this.#endOf(other) : end < otherEnd;
  }

  /**
   * Where a holder's next use would end. A first one is supposed to be as much as the last one of all: so whoever uses little waits for
   * one or two of the many that come anew and use much. No more counts than the credit, so that whoever uses much waits for a bounded
   * number of those who use little.
   */
  #nextEndOf(holder: string): number {
    const amount = this.#past.get(holder)?.amount ?? this.#lastAmount;
    return this.startOf(holder) + Math.min(amount, this.#credit);
  }

  /**
   * To be called when a holder comes.
   *
   * @param part of all that is shared. Defaults to 1: all of it
   */
  begin(holder: string, at: number, part = 1): Use {
    this.#countIdle(at);
    const start = this.startOf(holder);
    this.#now = Math.max(this.#now, start);
    this.#used += part;
    return { holder, start, since: at, part };
  }

  /**
   * To be called when its use has ended.
   *
   * @param isAwaited whether somebody waits for what is shared
   */
  end({ holder, start, since, part }: Use, at: number, isAwaited: boolean): void {
    this.#countIdle(at);
    this.#used -= part;
    this.#idleSince = isAwaited ? undefined : at;
    const amount = Math.min((at - since) * part, MOST_COUNTED);
    this.#past.set(holder, { end: Math.max(this.#endOf(holder), start) + amount, amount });
    this.#lastAmount = amount;
    if (this.#past.size > this.#many) this.#forgetOld();
  }

  /**
   * Has the next use of a holder start later, for what it has used of something else.
   *
   * @param most how far after that of whoever has come last it starts at most
   */
  postpone(holder: string, amount: number, most: number): void {
    const past = this.#past.get(holder) ?? { end: Number.NEGATIVE_INFINITY, amount: this.#lastAmount };
    const end = Math.min(Math.max(past.end, this.#now) + amount, this.#now + most);
    if (end > past.end) this.#past.set(holder, { ...past, end });
  }

  #countIdle(at: number): void {
    if (this.#idleSince === undefined) return;
    this.#now += (at - this.#idleSince) * Math.max(0, 1 - this.#used);
    this.#idleSince = at;
  }

  #endOf(holder: string): number {
    return this.#past.get(holder)?.end ?? Number.NEGATIVE_INFINITY;
  }

  #forgetOld(): void {
    for (const [holder, { end }] of this.#past) if (end <= this.#now - this.#credit) this.#past.delete(holder);
    this.#many = Math.max(MANY, 2 * this.#past.size);
  }
}
