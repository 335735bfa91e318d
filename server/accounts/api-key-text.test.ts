import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatApiKey, parseApiKey } from './api-key-text.ts';
import { generateSecret } from './secrets.ts';

it('an API key holds its workspace, its id and its secret', () => {
  const parts = { workspaceId: 'demo', keyId: '019a0b7c-3f7e-7c31-8f5e-2d9f0f6f2a11', secret: generateSecret() };
  expect(parseApiKey(formatApiKey(parts))).toEqual(parts);
});

it('whatever is not a key is none, and never a fault', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(parseApiKey(text)).toBeUndefined();
      expect(parseApiKey(`blk_${text}`)).toBeUndefined();
    }),
  );
  expect(parseApiKey(undefined)).toBeUndefined();
});

it('a key with anything before or behind it is none', () => {
  const key = formatApiKey({ workspaceId: 'demo', keyId: '1', secret: generateSecret() });
  for (const text of [` ${key}`, `x${key}`, `${key} `, `${key}x`, `${key}\n`])
    expect(parseApiKey(text), text).toBeUndefined();
});
