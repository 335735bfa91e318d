import type { Target } from './target.ts';
import { clientTarget } from './targets/client.ts';
import { contractTarget } from './targets/contract.ts';
import { kotlinTarget } from './targets/kotlin.ts';
import { serverTarget } from './targets/server.ts';

/** Everything that can be generated; a new target is one more file in `targets/`, and one more line here. */
export const targets: readonly Target[] = [serverTarget, contractTarget, kotlinTarget, clientTarget];
