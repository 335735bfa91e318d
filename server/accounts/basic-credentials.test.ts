import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseBasicCredentials } from './basic-credentials.ts';

const encode = (text: string) => Buffer.from(text, 'utf8').toString('base64');

describe('Basic credentials', () => {
  it('are split at the first colon, whatever the secret holds', () => {
    const part = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }).filter((text) => !/\p{Cc}/u.test(text));
    const name = part.map((text) => text.replaceAll(':', '').normalize('NFC')).filter((text) => text !== '');
    fc.assert(
      fc.property(name, part, fc.constantFrom('Basic', 'basic', 'BASIC', 'bAsIc'), (name, secret, scheme) => {
        expect(parseBasicCredentials(`${scheme} ${encode(`${name}:${secret}`)}`)).toEqual({ name, secret });
      }),
    );
  });

  it.each([
    ['no header', undefined],
    ['an empty header', ''],
    ['another scheme', `Bearer ${encode('a:b')}`],
    ['no credentials', 'Basic'],
    ['no colon', `Basic ${encode('name')}`],
    ['an empty name', `Basic ${encode(':secret')}`],
    ['an empty secret', `Basic ${encode('name:')}`],
    ['bad Base64', 'Basic !!!!'],
    ['Base64 without its padding', `Basic ${encode('a:bb').replaceAll('=', '')}`],
    ['Base64 whose unused bits are set', 'Basic YTp='],
    ['the URL alphabet', `Basic ${Buffer.from('a:>>>???').toString('base64url')}`],
    ['something behind it', `Basic ${encode('a:b')} x`],
    ['two credentials', `Basic ${encode('a:b')}, Basic ${encode('a:b')}`],
    ['bytes that are not UTF-8', `Basic ${Buffer.from([0x61, 0x3a, 0xff]).toString('base64')}`],
    ['U+0000 in the name', `Basic ${encode('a\0:b')}`],
    ['a control character in the secret', `Basic ${encode('a:b\u0085')}`],
    ['far too long a header', `Basic ${encode(`a:${'b'.repeat(2_000)}`)}`],
  ])('are refused: %s', (_what, header) => {
    expect(parseBasicCredentials(header)).toBeUndefined();
  });
});
