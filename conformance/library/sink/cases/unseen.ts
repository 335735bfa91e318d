import { skipped } from '../outcome.ts';
import type { LibraryCase } from './case.ts';

/** Documented, and of another kind than a sink can see: it is named, so that nobody takes it for judged. */
export const unseenCases: readonly LibraryCase[] = [
  unseen(
    'unseen/constructor',
    ['INSPECTOR-INSTANCE-1', 'INSPECTOR-INSTANCE-2', 'INSPECTOR-KEY-1'],
    'The parameters of the constructor',
    'the library’s API',
  ),
  unseen(
    'unseen/middleware',
    ['INSPECTOR-MIDDLEWARE-1', 'INSPECTOR-MIDDLEWARE-2'],
    'A middleware feeds the library, and passes payloads on',
    'an analytics SDK',
  ),
  unseen(
    'unseen/visual-inspector',
    ['INSPECTOR-4', 'INSPECTOR-STATES-OPEN-2', 'INSPECTOR-VISUAL-1', 'INSPECTOR-VISUAL-2', 'INSPECTOR-VISUAL-3'],
    'The visual inspector',
    'a screen',
  ),
  unseen('unseen/logging', ['INSPECTOR-LOGGING-1'], 'The device log', 'the device log'),
  unseen(
    'unseen/artifacts',
    ['INSPECTOR-ARTIFACTS-1', 'INSPECTOR-ARTIFACTS-2', 'INSPECTOR-VERSION-1'],
    'What is published',
    'the package repository',
  ),
  unseen('unseen/lifecycle', ['INSPECTOR-STATES-OPEN-1'], 'Other states of the library', 'a device'),
];

function unseen(id: string, clauses: readonly [string, ...string[]], title: string, where: string): LibraryCase {
  return { id, clauses, title, judge: () => skipped(`It can not be seen from here: it needs ${where}.`) };
}
