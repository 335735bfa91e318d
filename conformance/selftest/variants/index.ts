import type { Difference } from '../fault.ts';
import { access } from './access.ts';
import { cells } from './cells.ts';
import { clients } from './clients.ts';
import { combinations } from './combinations.ts';
import { creation } from './creation.ts';
import { csv } from './csv.ts';
import { names } from './names.ts';
import { wire } from './wire.ts';

/** Services that conform, each with a choice that the documents leave open. */
export const variants: readonly Difference[] = [
  { name: 'correct', does: 'differs in nothing', change: () => ({}) },
  ...creation,
  ...names,
  ...access,
  ...cells,
  ...csv,
  ...wire,
  ...clients,
  ...combinations,
];
