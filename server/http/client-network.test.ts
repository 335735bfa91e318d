import { expect, it } from 'vitest';
import { clientNetwork, widerNetworks } from './client-network.ts';

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:0:1::5', '2001:db8:0:1::/64'],
  ['2001:DB8:0000:1:ffff:ffff:ffff:ffff', '2001:db8:0:1::/64'],
  ['2001:db8::5', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
])('%s is of %s', (address, network) => {
  expect(clientNetwork(address)).toBe(network);
});

it.each([
  ['192.0.2.1', ['192.0', '192.0.2', '192.0.2.1']],
  ['2001:db8:1:2::/64', ['2001:db8', '2001:db8:1', '2001:db8:1:2::/64']],
])('%s is in wider networks', (network, networks) => {
  expect(widerNetworks(network)).toEqual(networks);
});
