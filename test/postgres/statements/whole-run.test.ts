import { expect, inject, it } from 'vitest';
import { readStatements } from '../../../server/storage/testing/statement-log.ts';
import { describeUnless } from '../../support/describe-unless.ts';
import { checkLog } from './check-log.ts';
import { LiveGuard } from './live-guard.ts';
import { LockOrder } from './lock-order.ts';

/** Runs after all other tests (see `vitest.config.ts`), and looks at what they had sent to PostgreSQL. */

const logs = inject('statementLogs');

describeUnless(logs === undefined ? 'no test of this run was on PostgreSQL' : undefined, 'the whole run', () => {
  it('had the server send no statement but of one workspace, which it locks first, and finds alive before it writes; what a test sends itself goes through ofTest()', async () => {
    const { problems, statements } = await checkLog(readStatements(logs ?? ''), [new LockOrder(), new LiveGuard()]);
    expect(problems.join('\n\n')).toBe('');
    expect(statements).toBeGreaterThan(0);
  });
});
