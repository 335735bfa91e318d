import type { Target } from './target.ts';
import { clientTarget } from './targets/client/client-target.ts';
import { casesTarget } from './targets/cases/cases-target.ts';
import { kotlinTarget } from './targets/kotlin/kotlin-target.ts';
import { serverTarget } from './targets/server/server-target.ts';

/** Everything that can be generated; a new target is one more folder in `targets/`, and one more line here. */
export const targets: readonly Target[] = [serverTarget, casesTarget, kotlinTarget, clientTarget];
