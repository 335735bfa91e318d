import { describe, expect, it, vi } from 'vitest';
import { refuseForeignPage } from './foreign-page.ts';
import { readCookies } from './host-cookie.ts';

/** Headers of 16 KiB that anybody may send, and that must cost no more than others. */

describe('cookies', () => {
  it('are taken as they are written, since to fail at decoding thousands of them costs milliseconds', () => {
    const decode = vi.spyOn(globalThis, 'decodeURIComponent');
    const cookies = readCookies(Array.from({ length: 2_000 }, (_, at) => `c${at}=%`).join(';'));
    expect(cookies['c1999']).toBe('%');
    expect(decode).not.toHaveBeenCalled();
    decode.mockRestore();
  });

  it('are none where there is no header', () => {
    expect({ ...readCookies(undefined) }).toEqual({});
  });
});

describe('an origin', () => {
  const request = (origin: string, host: string, protocol: 'http' | 'https' = 'https') => ({
    method: 'POST',
    headers: { origin, host },
    protocol,
  });
  const longest = `${'a.'.repeat(126)}a`;

  it.each<[string, 'http' | 'https', boolean]>([
    ['https', 'https', true],
    ['https', 'http', true],
    ['http', 'http', true],
    ['http', 'https', false],
    ...['ftp', 'ws', 'javascript', 'chrome-extension'].flatMap((scheme): [string, 'http' | 'https', boolean][] => [
      [scheme, 'http', false],
      [scheme, 'https', false],
    ]),
  ])('with a page of %s, over %s, is of ours: %s', (scheme, protocol, isOurs) => {
    const ask = (): void => refuseForeignPage(request(`${scheme}://web.example`, 'web.example', protocol));
    if (isOurs) expect(ask).not.toThrow();
    else expect(ask).toThrow('made by a page of another site');
  });

  it('is that of this service with any host that there can be', () => {
    expect(() => refuseForeignPage(request(`https://${longest}:65535`, `${longest}:65535`))).not.toThrow();
  });

  it('that is longer is refused without a look at its host, which costs the square of its length', () => {
    const look = vi.spyOn(URL, 'parse');
    const host = '%E4%B8%80'.repeat(1_800);
    expect(() => refuseForeignPage(request(`https://${host}`, host))).toThrow('made by a page of another site');
    expect(look).not.toHaveBeenCalled();
    look.mockRestore();
  });
});
