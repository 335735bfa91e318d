import { isIPv4, type Socket } from 'node:net';

/** The minimum number of 16-bit groups in an IPv6 prefix assigned to one customer: a /64. */
const OWN_GROUPS = 4;

/**
 * Returns the network of a client in canonical form: for IPv4 the address, for IPv6 the /64.
 *
 * @param address in Node's notation, such as `192.0.2.1`, `::ffff:192.0.2.1` or `2001:db8::1%eth0`
 */
export function clientNetwork(address: string): string {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1] ?? address;
  if (isIPv4(mapped)) return mapped;
  const [head = '', tail = ''] = address.replace(/%.*$/, '').split('::');
  const last = splitGroups(tail);
  const first = splitGroups(head);
  const zeros = Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => '0');
  return `${[...first, ...zeros, ...last].slice(0, OWN_GROUPS).join(':')}::/64`;
}

/** Returns the network of a connection's client, as long as the connection is open. */
export function networkOf({ remoteAddress = '' }: Socket): string {
  return clientNetwork(remoteAddress);
}

/**
 * Returns the networks that a client is in, the widest first: for IPv4 the /16, the /24 and the address, for IPv6 the /32, the
 * /48 and the /64, which is the order in which providers hand them on to customers.
 *
 * @param network as {@link clientNetwork} returns it
 */
export function widerNetworks(network: string): string[] {
  const separator = isIPv4(network) ? '.' : ':';
  const groups = network.split(separator);
  return [groups.slice(0, 2).join(separator), groups.slice(0, 3).join(separator), network];
}

function splitGroups(part: string): string[] {
  return part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16).toString(16));
}
