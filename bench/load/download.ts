import { Client } from 'undici';
import { countLines } from './counting.ts';

/** What was downloaded, as JSON on standard output. */
export interface Downloaded {
  bytes: number;
  lines: number;
  seconds: number;
}

// As a process of its own. Arguments: origin, path, headers as JSON.
const [origin = '', path = '', headers = '{}'] = process.argv.slice(2);
const client = new Client(origin);
const begun = performance.now();
const response = await client.request({ method: 'GET', path, headers: JSON.parse(headers) });
if (response.statusCode !== 200) throw new Error(`${path} answered ${response.statusCode}.`);
const counted = await countLines(response.body);
const downloaded: Downloaded = { ...counted, seconds: (performance.now() - begun) / 1_000 };
process.stdout.write(JSON.stringify(downloaded));
await client.close();
