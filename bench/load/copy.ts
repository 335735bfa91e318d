import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { countLines } from './counting.ts';
import type { Downloaded } from './download.ts';

// As a process of its own. Arguments: URL of the database, query.
const [connectionString = '', query = ''] = process.argv.slice(2);
const client = new pg.Client({ connectionString });
await client.connect();
const begun = performance.now();
const counted = await countLines(client.query(copyTo(`copy (${query}) to stdout (format csv)`)));
const downloaded: Downloaded = { ...counted, seconds: (performance.now() - begun) / 1_000 };
process.stdout.write(JSON.stringify(downloaded));
await client.end();
