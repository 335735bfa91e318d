import type { LibraryCase } from './case.ts';
import { deliveryCases } from './delivery.ts';
import { observedCases } from './observed.ts';
import { scriptedCases } from './scripted.ts';
import { timeCases } from './times.ts';
import { unseenCases } from './unseen.ts';
import { wireCases } from './wire.ts';

/** Everything that is judged or observed of a client library. */
export const libraryCases: readonly LibraryCase[] = [
  ...deliveryCases,
  ...scriptedCases,
  ...wireCases,
  ...timeCases,
  ...observedCases,
  ...unseenCases,
];
