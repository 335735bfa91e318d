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
const addCounts = database.prepare('insert into pending_counts values (?, ?, ?)');
const counts = JSON.stringify([
  {
    source: SOURCE,
    app_version: '1.4.0',
    environment: 'prod',
    hour: TIME / 3_600_000,
    addsToPlaces: 1,
    counts: Array.from({ length: Number(shapes) }, (_, shape) => countOf(`Product Viewed ${shape}`)),
  },
]);

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
  addCounts.run(WORKSPACE, v7(), counts);
  database.exec('commit');
  events += BATCHES * Number(batchSize);
}
process.stdout.write(JSON.stringify((events * 1_000) / (performance.now() - begun)));

/** The shape's id is a SHA-256 in base64url. */
function countOf(name: string): unknown[] {
  return [name, name.padEnd(43), 15, 0, 3];
}

function repeat(times: number, row: (index: number) => Value[]): Value[] {
  return Array.from({ length: times }, (_, index) => row(index)).flat();
}
