import { expect, it } from 'vitest';
import { bareAddress } from './client-address.ts';

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['192.0.2.1:50000', '192.0.2.1'],
  ['192.0.2.1%eth0', '192.0.2.1'],
  ['[192.0.2.1]:50000', '192.0.2.1'],
  ['2001:DB8:0:0::1', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['[2001:db8::1]:50000', '2001:db8::1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['[fe80::1%eth0]:50000', 'fe80::1'],
  ['::ffff:c000:201', '::ffff:192.0.2.1'],
  ['0:0:0:0:0:ffff:192.0.2.1', '::ffff:192.0.2.1'],
  ['[::ffff:192.0.2.1]:50000', '::ffff:192.0.2.1'],
])('%s is %s', (written, address) => {
  expect(bareAddress(written)).toBe(address);
});

it.each([
  '',
  'unknown',
  '_hidden',
  'localhost',
  '0xc0000201',
  '3221225985',
  '192.0.2',
  '192.0.2.256',
  '192.0.2.1:port',
  '192.0.2.1:1:2',
  '0300.0.2.1',
  '2001:db8::1::2',
  '[2001:db8::1',
  '[2001:db8::1]50000',
])('“%s” is no address', (written) => {
  expect(bareAddress(written)).toBeUndefined();
});
