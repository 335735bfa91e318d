import { setTimeout as delay } from 'node:timers/promises';
import type { Caller, Reply } from './caller.ts';

/** The server that clients talk to at the moment; undefined while there is none. */
export interface Current {
  caller: Caller | undefined;
  /** When true, clients stop after the answer that they are waiting for. */
  over: boolean;
}

/** Sends until an answer comes that is not 503, as a client with retries does, whatever server comes and goes meanwhile. */
export async function persistently(current: Current, send: (caller: Caller) => Promise<Reply>): Promise<Reply> {
  for (;;) {
    const reply = current.caller && (await send(current.caller).catch(() => undefined));
    if (reply !== undefined && reply.status !== 503) return reply;
    await delay(5);
  }
}
