/** How many calls of a spied function have resolved. */
export function countFulfilled({ mock }: { mock: { settledResults: { type: string }[] } }): number {
  return mock.settledResults.filter(({ type }) => type === 'fulfilled').length;
}
