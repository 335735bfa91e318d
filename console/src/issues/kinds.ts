import type { components } from '../client/generated/types.ts';

export type Issue = components['schemas']['Issue'];

/** Every kind of issue, in the order of the filter. */
export const KINDS: Readonly<Record<Issue['kind'], string>> = {
  typeConflict: 'Type conflict',
  nameVariant: 'Name variant',
  newInVersion: 'New in version',
  goneInVersion: 'Gone in version',
  missingOnSource: 'Missing on source',
  overLimit: 'Over a limit',
};

export const STATES: Readonly<Record<Issue['state'], string>> = {
  open: 'Open',
  resolved: 'Resolved',
  ignored: 'Ignored',
};
