import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import type { Request } from '../driver.ts';
import { REAL_CLOCK } from '../clock.ts';
import { App } from './app.ts';
import { isFault } from './fault.ts';

/** The reference client as a driver: a line of JSON in, a line of JSON out. */
const { values } = parseArgs({
  options: { fault: { type: 'string', default: '' } },
});

const clock = { ...REAL_CLOCK, during: <T>(work: Promise<T>) => work };
const app = new App({ clock, fault: isFault(values.fault) ? values.fault : undefined });

for await (const line of createInterface({ input: process.stdin })) {
  const request: Request = JSON.parse(line);
  process.stdout.write(`${JSON.stringify(await app.ask(request))}\n`);
  if (request.do === 'stop') process.exit();
}
