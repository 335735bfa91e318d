import type { WaiverResult } from '../result.ts';

/** What a waiver did in a run, as a sentence for the maintainer of the file. */
export function waiverSentence({ case: id, clause, reason, until, state }: WaiverResult): string {
  const name = `The waiver of ${id ?? clause}`;
  switch (state) {
    case 'used':
      return `${name} was needed: ${reason}`;
    case 'stale':
      return `${name} is not needed any more, as nothing that it names fails: remove it.`;
    case 'pruned':
      return `${name} is not needed any more, as nothing that it names fails: it was removed from the baseline.`;
    case 'expired':
      return `${name} expired on ${until}, and forgives nothing: renew it or remove it.`;
    case 'unused':
      return `${name} was not used: not everything that it names was tried.`;
  }
}
