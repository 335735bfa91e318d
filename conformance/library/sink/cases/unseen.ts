import { skip } from '../outcome.ts';
import type { LibraryCase } from './case.ts';

/** Documented, but not visible to a sink: listed, so that nobody believes it was checked. */
export const unseenCases: readonly LibraryCase[] = [
  createUnseen(
    'unseen/constructor',
    ['INSPECTOR-INSTANCE-1', 'INSPECTOR-INSTANCE-2', 'INSPECTOR-KEY-1'],
    'The parameters of the constructor',
    'the library’s API',
  ),
  createUnseen(
    'unseen/middleware',
    ['INSPECTOR-MIDDLEWARE-1', 'INSPECTOR-MIDDLEWARE-2'],
    'A middleware feeds the library, and passes payloads on',
    'an analytics SDK',
  ),
  createUnseen(
    'unseen/visual-inspector',
    ['INSPECTOR-4', 'INSPECTOR-STATES-OPEN-2', 'INSPECTOR-VISUAL-1', 'INSPECTOR-VISUAL-2', 'INSPECTOR-VISUAL-3'],
    'The visual inspector',
    'a screen',
  ),
  createUnseen('unseen/logging', ['INSPECTOR-LOGGING-1'], 'The device log', 'the device log'),
  createUnseen(
    'unseen/artifacts',
    ['INSPECTOR-ARTIFACTS-1', 'INSPECTOR-ARTIFACTS-2', 'INSPECTOR-VERSION-1'],
    'What is published',
    'the package repository',
  ),
  createUnseen('unseen/lifecycle', ['INSPECTOR-STATES-OPEN-1'], 'Other states of the library', 'a device'),
];

function createUnseen(id: string, clauses: readonly [string, ...string[]], title: string, where: string): LibraryCase {
  return { id, clauses, title, judge: () => skip(`It can not be seen from here: it needs ${where}.`) };
}
