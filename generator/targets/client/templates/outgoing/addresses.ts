import { BlockList, isIPv4 } from 'node:net';

/** What the special-purpose registries of IANA name; nothing there is a receiver that anybody in the world could run. */
const SPECIAL_IPV4 =
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4';
/** Within what is given out at all: protocols that carry other addresses in theirs (Teredo, 6to4), documentation, AS112. */
const SPECIAL_IPV6 = '2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20';
/** The unicast addresses that are given out. Outside of it are loopback, link-local and unique local ones, and IPv4 ones as IPv6. */
const GLOBAL_IPV6 = '2000::/3';

const special = listSubnets(SPECIAL_IPV4, 'ipv4');
const specialIpv6 = listSubnets(SPECIAL_IPV6, 'ipv6');
const globalIpv6 = listSubnets(GLOBAL_IPV6, 'ipv6');

/** Whether an IP address belongs to the public internet, and not to this host, its network or a protocol. */
export function isPublic(address: string): boolean {
  if (isIPv4(address)) return !special.check(address, 'ipv4');
  return globalIpv6.check(address, 'ipv6') && !specialIpv6.check(address, 'ipv6');
}

function listSubnets(written: string, family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const subnet of written.split(' ')) {
    const [network = '', prefix] = subnet.split('/');
    list.addSubnet(network, Number(prefix), family);
  }
  return list;
}
