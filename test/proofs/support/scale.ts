/** How much a proof does: enough for every run of the tests, or as much as is claimed of it (`BRANCHLINE_PROOFS=full`). */
export function scale<Amount>({ usual, full }: { usual: Amount; full: Amount }): Amount {
  return process.env['BRANCHLINE_PROOFS'] === 'full' ? full : usual;
}
