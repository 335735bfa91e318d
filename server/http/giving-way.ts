import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { connectionBelow } from '../tls/same-port.ts';
import { networkOf } from './client-network.ts';
import { ConnectionPlaces, type Place } from './connection-places.ts';
import type { CrowdedOut, Crowding } from './crowding.ts';
import { BoundedRequest } from './request-body.ts';

export interface GivingWayOptions {
  maxConnections: number;
  /** How many of them one network may have. Defaults to a quarter, or 1,000 where that is more. */
  mostOfNetwork?: number;
  crowding: Crowding;
  /** In milliseconds; of any clock that only goes forward. Defaults to the machine's. */
  clock?: () => number;
}

/**
 * What one network may have of all connections. What thousands cost that come and go at once is the server's time; a proxy needs no more
 * than a few hundred.
 */
const OF_NETWORK = { share: 1 / 4, least: 1_000 };

/**
 * Bounds the connections of a server, and of a network. When all are taken, one on which no request is under way gives way to a new one; where
 * there is none, the new one is closed. To be called after `serveTlsToo`, so that it meets connections before their first byte.
 */
export function letConnectionsGiveWay(server: Server, options: GivingWayOptions): void {
  const { maxConnections, crowding, clock = () => performance.now() } = options;
  const { mostOfNetwork = Math.max(maxConnections * OF_NETWORK.share, OF_NETWORK.least) } = options;
  const places = new ConnectionPlaces({ most: maxConnections, mostOfNetwork, clock });
  const placeOf = new WeakMap<Socket, Place>();
  // Node would close one too many before another could give way to it.
  server.maxConnections = maxConnections + 1;

  server.prependListener('connection', (socket) => {
    const network = networkOf(socket);
    if (!places.hasRoomFor(network) && !makeRoom(network)) return close(socket, 'refused');
    const place = places.enter(socket, network);
    placeOf.set(socket, place);
    socket.once('close', () => places.leave(place));
  });

  server.prependListener('request', (request, response) => {
    const place = placeOf.get(connectionBelow(request.socket));
    if (place === undefined) return;
    const begin = (): void => {
      places.begins(place);
      if (response.closed) places.ends(place);
      else response.once('close', () => places.ends(place));
    };
    if (!(request instanceof BoundedRequest) || !hasBody(request)) return begin();
    places.arrives(place);
    request.whenWhole(begin);
  });

  function makeRoom(network: string): boolean {
    const leaving = places.givesWayTo(network);
    if (leaving === undefined) return false;
    // Before the event, which comes later.
    places.leave(leaving);
    close(leaving.socket, 'gave-way');
    return true;
  }

  function close(socket: Socket, outcome: CrowdedOut): void {
    socket.destroy();
    crowding.count(outcome);
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}
