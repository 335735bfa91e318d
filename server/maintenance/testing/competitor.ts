import { ofTest } from '../../storage/testing/statements-of-tests.ts';
import { sql } from 'kysely';
import { openStorage } from '../../storage/open.ts';
import { Leases } from '../lease.ts';
import { REAL_PACE } from '../steps.ts';
import { type MaintenanceTask, runTask } from '../task.ts';

// As a process of its own: opens the database that it is given, and works on the task whenever nobody else does, for ever. Tells its
// parent what became of each try.
const place = process.argv[2];
if (import.meta.main && place !== undefined) {
  const storage = await openStorage(JSON.parse(place));
  const pid = process.pid;
  const task: MaintenanceTask = {
    name: 'compete',
    async *steps() {
      for (;;) {
        // One statement that takes a while, and says when it began and ended by the one clock of the database.
        await sql`
          with begun as materialized (select clock_timestamp() as at), slept as materialized (select pg_sleep(0.02) from begun)
          insert into steps select ${pid}, begun.at, clock_timestamp() from begun, slept`.execute(ofTest(storage).db);
        yield;
      }
    },
  };
  const leases = new Leases({ storage });
  const { signal } = new AbortController();
  for (;;) {
    process.send?.(await runTask(task, { leases, pace: REAL_PACE, signal, when: 'due' }));
    await REAL_PACE.pause(10, signal);
  }
}
