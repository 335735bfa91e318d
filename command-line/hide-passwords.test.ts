import { expect, it } from 'vitest';
import { hidePasswords } from './hide-passwords.ts';

it.each([
  ['"postgres://user:s3cr3t@host:5432/name" is none.', '"postgres://user:…@host:5432/name" is none.'],
  ['unknown command "https://:s3cr3t@host"', 'unknown command "https://:…@host"'],
  ['a password with signs: redis://u:s3@c/r:3t@host', 'a password with signs: redis://u:…@host'],
  ['as a path: postgres:/user:s3cr3t@host/name', 'as a path: postgres:/user:…@host/name'],
  ['two: a://b:c@d and e://f:g@h', 'two: a://b:…@d and e://f:…@h'],
])('leaves the password out of %s', (text, shown) => {
  expect(hidePasswords(text)).toBe(shown);
});

it.each([
  'https://example.com:8080/people/ada@example.com',
  'ada@example.com: is no admin',
  'https://example.com/a: of ada@example.com',
  'user@host and https://user@host',
])('leaves %s as it is', (text) => {
  expect(hidePasswords(text)).toBe(text);
});
