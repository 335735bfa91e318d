import { isIPv4 } from 'node:net';

/** How many 16-bit groups of an IPv6 address one customer of a provider has at least: a /64. */
const OWN_GROUPS = 4;

/**
 * The network that a client has for itself: of IPv4 the address, of IPv6 the /64, written in one way.
 *
 * @param address as Node writes it, such as `192.0.2.1`, `::ffff:192.0.2.1` or `2001:db8::1%eth0`
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

function splitGroups(part: string): string[] {
  return part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16).toString(16));
}
