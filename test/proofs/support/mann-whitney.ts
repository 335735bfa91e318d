/**
 * How often a number of one sample is larger than one of the other, equal ones counting half: 0.5 where nothing tells the
 * samples apart, 0 or 1 where everything does (the Mann–Whitney U statistic as a share of all pairs).
 */
export function shareLarger(some: readonly number[], others: readonly number[]): number {
  const all = [...some.map((value) => ({ value, mine: true })), ...others.map((value) => ({ value, mine: false }))];
  all.sort((a, b) => a.value - b.value);
  let wins = 0;
  let othersBelow = 0;
  for (let start = 0; start < all.length;) {
    let end = start;
    while (all[end]?.value === all[start]?.value && end < all.length) end += 1;
    const equal = all.slice(start, end);
    const mine = equal.filter((one) => one.mine).length;
    wins += mine * (othersBelow + (equal.length - mine) / 2);
    othersBelow += equal.length - mine;
    start = end;
  }
  return wins / (some.length * others.length);
}
