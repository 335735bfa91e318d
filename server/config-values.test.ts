import { expect, it } from 'vitest';
import { postgresUrl } from './config-values.ts';
import { connectTimeout } from './storage/postgres/connect-timeout.ts';

it.each([
  'postgres://user:password@host:5432/name',
  'postgresql://user@host/name?sslmode=verify-full&connect_timeout=10',
  'postgres://user:100%@host/na%20me',
  'postgres://user:pass@word@host/name',
  'postgres://user:password@host',
  'postgres://host/name',
  'postgres:///name?host=/run/postgresql&user=me&password=p@ss',
])('a database can be at %s', (url) => expect(postgresUrl(url)).toBe(url));

it.each([
  'mysql://user:s3cr3t@host/name',
  'host=here password=s3cr3t',
  'postgres://user:s3cr3t@',
  'postgres://user:12/s3cr3t@host/name',
  'postgres://user:12?s3cr3t@host/name',
  'postgres://user:12#s3cr3t@host/name',
  'postgres://user:s3cr3t@host/%zz',
])('a database can not be at %s, which is not repeated', (url) => {
  expect(() => postgresUrl(url)).toThrow(/^It must be a URL such as postgres:.* as %40 %2F %3F %23 %25\.$/);
});

const withTimeout = (text: string) => `postgres://user@host/name?connect_timeout=${encodeURIComponent(text)}`;

it.each([
  ['10', 10_000],
  ['1', 1_000],
  [' 10 ', 10_000],
  ['+7', 7_000],
  ['007', 7_000],
  ['999999999', 2_000_000_000],
  ['0', undefined],
  ['-1', undefined],
])('a connection is waited for as long as “%s” says', (text, milliseconds) => {
  expect(connectTimeout(postgresUrl(withTimeout(text)))).toBe(milliseconds);
});

it.each(['', 's3cr3t', '10s', '1.5', '1e3', '0x10', '9999999999', '- 1'])(
  'no connection is waited for as long as “%s” says, which is not repeated',
  (text) => {
    expect(() => postgresUrl(withTimeout(text))).toThrow(
      /^Its connect_timeout must be a whole number of seconds, such as connect_timeout=10\.$/,
    );
  },
);
