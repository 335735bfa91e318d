import { closeSync, openSync, readSync } from 'node:fs';
import type { AddressInfo } from 'node:net';

/** Where Linux tells of its sockets, first of those that listen. */
const TABLES: Record<string, string> = { IPv4: '/proc/net/tcp', IPv6: '/proc/net/tcp6' };

/** Some hundred lines. Of a socket behind more others that listen nothing is known. */
const READ_BYTES = 16_384;

/** Local address and port, those of nobody, the state, and two queues, of which the second are the connections that wait. */
const LISTENING = /[\dA-F]+:([\dA-F]{4}) 0+:0000 0A [\dA-F]{8}:([\dA-F]{8})/g;

/**
 * Returns how many connections clients have opened that the server has not accepted yet. Only Linux tells; elsewhere 0, as if none waited.
 */
export function countWaiting({ port, family }: AddressInfo): number {
  const lines = readTable(TABLES[family]).matchAll(LISTENING);
  const ofPort = [...lines].filter(([, itsPort = '']) => Number.parseInt(itsPort, 16) === port);
  return ofPort.reduce((sum, [, , waiting = '']) => sum + Number.parseInt(waiting, 16), 0);
}

function readTable(path: string | undefined): string {
  if (process.platform !== 'linux' || path === undefined) return '';
  try {
    const file = openSync(path, 'r');
    try {
      const bytes = Buffer.allocUnsafe(READ_BYTES);
      return bytes.toString('latin1', 0, readSync(file, bytes, 0, READ_BYTES, 0));
    } finally {
      closeSync(file);
    }
  } catch {
    // It may be hidden from the server, or no file be left to open.
    return '';
  }
}
