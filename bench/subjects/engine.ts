import { randomUUID } from 'node:crypto';
import { v7 } from 'uuid';
import { openAsBranchlineDoes } from './by-hand.ts';
import { uuidBytes } from '../../server/inspector/ingest/uuids.ts';
import { MESSAGE_TABLE, SOURCE, SOURCE_NUMBER, WORKSPACE } from './place.ts';

/** How many batches share a transaction: what Branchline at its fullest puts into one. */
const BATCHES = 100;
const TIME = Date.UTC(2026, 0, 1);
const DIGEST = new Uint8Array(32);

type Value = string | number | Uint8Array;

// As a process of its own: writes the rows of batches as fast as the engine takes them, with no HTTP and no JSON, and says how
// many events a second that was. Arguments: database, seconds, events of a batch, shapes, 'timeOrdered' or 'random'.
const [file = '', seconds = '5', batchSize = '30', shapes = '200', ids = 'random'] = process.argv.slice(2);
const newId = ids === 'timeOrdered' ? v7 : randomUUID;
const database = openAsBranchlineDoes(file);
database.exec('pragma temp_store = memory');
const places = (rows: number, columns: number): string =>
  Array.from({ length: rows }, () => `(${Array.from({ length: columns }, () => '?').join()})`).join();
const insertMessages = database.prepare(
  `insert into ${MESSAGE_TABLE} values ${places(Number(batchSize), 3)} on conflict do nothing`,
);
const insertBatches = database.prepare(`insert into seen_batches values ${places(BATCHES, 5)}`);
const countShapes = database.prepare(
  `insert into observed_shapes values ${places(Number(shapes), 10)}
   on conflict (workspace_id, event_key, source, app_version, environment, shape_id)
   do update set count = count + excluded.count, last_seen = excluded.last_seen`,
);
const countEvents = database.prepare(
  `insert into observed_events values ${places(Number(shapes), 10)}
   on conflict (workspace_id, event_key, source, app_version, environment)
   do update set count = count + excluded.count, last_seen = excluded.last_seen`,
);

const begun = performance.now();
let events = 0;
while (performance.now() - begun < Number(seconds) * 1_000) {
  database.exec('begin immediate');
  const batches: Value[] = [];
  for (let batch = 0; batch < BATCHES; batch += 1) {
    insertMessages.run(...repeat(Number(batchSize), () => [WORKSPACE, SOURCE_NUMBER, uuidBytes(newId())]));
    batches.push(WORKSPACE, SOURCE_NUMBER, uuidBytes(randomUUID()), DIGEST, TIME);
  }
  insertBatches.run(...batches);
  countShapes.run(...repeat(Number(shapes), (shape) => shapeRow(`Product Viewed ${shape}`)));
  countEvents.run(...repeat(Number(shapes), (shape) => eventRow(`Product Viewed ${shape}`)));
  database.exec('commit');
  events += BATCHES * Number(batchSize);
}
process.stdout.write(JSON.stringify((events * 1_000) / (performance.now() - begun)));

function shapeRow(name: string): Value[] {
  return [WORKSPACE, name, SOURCE, '1.4.0', 'prod', `shape of ${name}`, name, 15, TIME, TIME];
}

function eventRow(name: string): Value[] {
  return [WORKSPACE, name, SOURCE, '1.4.0', 'prod', name, 15, 1, TIME, TIME];
}

function repeat(times: number, row: (index: number) => Value[]): Value[] {
  return Array.from({ length: times }, (_, index) => row(index)).flat();
}
