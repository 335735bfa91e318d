import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { expect, test } from 'vitest';
import { isPublic } from './addresses.ts';

test.each([
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.31.255.255',
  '192.168.0.1',
  '198.19.255.255',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '64:ff9b::a00:1',
  '2001:0:4136:e378:8000:63bf:3fff:fdd2',
  '2002:7f00:1::',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fec0::1',
  'ff02::1',
])('%s is not public', (address) => {
  expect(isPublic(address)).toBe(false);
});

test.each(['1.1.1.1', '8.8.8.8', '172.15.255.255', '172.32.0.0', '2606:4700:4700::1111', '2a00:1450:4001::1'])(
  '%s is public',
  (address) => {
    expect(isPublic(address)).toBe(true);
  },
);

test('what ipaddr.js knows for something special is not public', () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (address) => {
      if (ipaddr.parse(address).range() !== 'unicast') expect(isPublic(address)).toBe(false);
    }),
    { numRuns: 2000 },
  );
});

test('an IPv4 address is public unless ipaddr.js knows it for something special', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      expect(isPublic(address)).toBe(ipaddr.IPv4.parse(address).range() === 'unicast');
    }),
    { numRuns: 2000 },
  );
});
