import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { measureCpuTime } from '../../../test/support/cpu-time.ts';
import { REDACTED, Secrets } from './secrets.ts';

const SECRET = `k3:W<q"Z t/ü'&+\\s`;
const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

describe('no form of a secret stays', () => {
  it.each([
    ['as it is', SECRET],
    ['in other case', SECRET.toUpperCase()],
    ['in a URL', encodeURIComponent(SECRET)],
    ['in a URL, in small digits', encodeURIComponent(SECRET).toLowerCase()],
    ['in a URL, twice encoded', encodeURIComponent(encodeURIComponent(SECRET))],
    ['in a form', new URLSearchParams({ secret: SECRET }).toString().slice('secret='.length)],
    ['in JSON', JSON.stringify(SECRET).slice(1, -1)],
    ['in JSON in JSON', JSON.stringify(JSON.stringify(SECRET)).slice(3, -3)],
    [
      'in JSON with escapes',
      Array.from(SECRET, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
    ],
    [
      'in HTML',
      SECRET.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&#34;').replaceAll("'", '&#x27;'),
    ],
    ['in Base64', base64(SECRET)],
    ['in Base64 for URLs', Buffer.from(SECRET).toString('base64url')],
    ['inside of Base64', base64(`{"authorization":"Basic ${base64(`ci:${SECRET}`)}","secret":"${SECRET}"}`)],
    ['inside of Base64, one on', base64(`x${SECRET}`)],
    ['inside of Base64, two on', base64(`xy${SECRET}`)],
    ['in hexadecimal', Buffer.from(SECRET).toString('hex')],
    ['inside of hexadecimal, in capitals', Buffer.from(`x${SECRET}y`).toString('hex').toUpperCase()],
  ])('%s', (_, form) => {
    const cleaned = new Secrets([SECRET]).clean(`before ${form} after`);
    expect(cleaned).toBe(`before ${REDACTED} after`);
  });

  it('whatever the secret is', () => {
    const anySecret = fc.string({ unit: 'grapheme', minLength: 1 });
    const forms = [(text: string) => text, encodeURIComponent, JSON.stringify, base64];
    fc.assert(
      fc.property(anySecret, fc.constantFrom(...forms), fc.string(), (secret, form, around) => {
        fc.pre(form(secret).length >= 12);
        const cleaned = new Secrets([secret]).clean(`${around} ${form(secret)} ${around}`);
        return !cleaned.includes(form(secret)) || REDACTED.includes(form(secret));
      }),
    );
  });
});

it('what is no secret stays', () => {
  const text =
    '{"branchId":"br_4f0a7c1199e2d3b4","branchUrl":"https://plans.example/schemas/north/branches/br_4f0a7c11"}';
  expect(new Secrets(['k3-Wq-north-1', base64('ci:k3-Wq-north-1')]).clean(text)).toBe(text);
  expect(new Secrets([]).clean(text)).toBe(text);
  expect(new Secrets(['']).clean(text)).toBe(text);
});

it('what is learnt later is a secret from then on, unless it is too short to be told from other text', () => {
  const secrets = new Secrets(['hush']);
  secrets.learn('shorter-secre');
  secrets.learn('x');
  expect(secrets.clean('a shorter-secre, hush x')).toBe(`a ${REDACTED}, ${REDACTED} x`);
});

it('what is learnt later, and short, is only redacted as a word of its own', () => {
  const secrets = new Secrets(['with:colons']);
  secrets.learn('with');
  expect(secrets.clean('without "with", with:colons')).toBe(`without "${REDACTED}", ${REDACTED}`);
});

it('a short secret is only redacted as a word of its own, whatever stands before it', () => {
  const secrets = new Secrets(['with', '-a1']);
  expect(secrets.clean('without "with", herewith; x-a1')).toBe(`without "${REDACTED}", herewith; x${REDACTED}`);
  for (const before of ['%20', '\\n', '\\u0020', '&amp;', '+', '_'])
    expect(secrets.clean(`${before}with`)).toBe(`${before}${REDACTED}`);
  const inBase64 = Buffer.from('release:with').toString('base64');
  expect(secrets.clean(inBase64)).toBe(REDACTED);
});

it('a hostile text costs no time', async () => {
  const secrets = new Secrets([SECRET]);
  const took = await measureCpuTime(() => {
    for (const hostile of ['\\'.repeat(32_768), '%25'.repeat(10_000), '&#0'.repeat(10_000), 'A'.repeat(32_768)])
      secrets.clean(hostile);
  });
  expect(took).toBeLessThan(2_000);
});
