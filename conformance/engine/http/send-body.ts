import type { Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { Outgoing } from './client.ts';

/** Long enough for a service to have read the first part before the second comes. */
const PAUSE_MS = 100;

/** Sends the body of a request, and ends it. */
export async function sendBody(request: Writable, { body, isInParts }: Outgoing): Promise<void> {
  if (body === undefined || isInParts !== true) {
    request.end(body);
    return;
  }
  const bytes = Buffer.from(body);
  const half = Math.floor(bytes.length / 2);
  request.write(bytes.subarray(0, half));
  await pause(PAUSE_MS);
  // An answer may have ended the exchange by now.
  if (!request.destroyed) request.end(bytes.subarray(half));
}
