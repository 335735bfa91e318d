import { setTimeout as delay } from 'node:timers/promises';
import type { Scenario } from './scenario.ts';
import { measureUnderAttack } from './under-attack.ts';

/** What all else is to be compared with. */
export const calm: Scenario = {
  title: 'Nobody attacks',
  run: (installation, quick) =>
    measureUnderAttack(installation, async () => {
      await delay(quick ? 1_000 : 10_000);
      return {};
    }),
};
