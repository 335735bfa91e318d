import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { contractSchemas } from './contract-schemas.ts';
import { readMultipart, type MultipartBody } from './multipart.ts';

const plan = { required: true, maxBytes: 3_000_000, gzip: false, media: [] };
const schemas = contractSchemas({ form: { type: 'object' } });
const disposition = (name: string) => `Content-Disposition: form-data; name="${name}"\r\n`;

function read(text: string, takeTurn: () => Promise<void>): Promise<MultipartBody> {
  const media = { type: 'multipart/form-data', kind: 'multipart', schema: '/form' } as const;
  const contentType = 'multipart/form-data; boundary=b';
  const payload = Readable.from([Buffer.from(text)]);
  return readMultipart(plan, media, { payload, contentType, schemas, folder: undefined, takeTurn });
}

describe('a multipart body that comes at once', () => {
  test.each(['', 'x', '\r', '\r\n', '\r\n-', '--', '\n--b'])('has all its parts, each %j', async (text) => {
    const names = Array.from({ length: 200 }, (_, at) => `n${at}`);
    const parts = names.map((name) => `--b\r\n${disposition(name)}\r\n${text}\r\n`);
    const { value } = await read(`${parts.join('')}--b--\r\n`, () => Promise.resolve());
    expect(value).toEqual(Object.fromEntries(names.map((name) => [name, text])));
  });

  test.each([
    ['parts', `--b\r\n${disposition('n')}\r\nx\r\n`.repeat(900), 900 / 32],
    ['boundaries', '--b\r\n'.repeat(20_000), 20_000 / 32],
    ['bytes', `--b\r\n${disposition('n')}\r\n${'x'.repeat(1_000_000)}\r\n`, 1_000_000 / 65_536],
  ])('is read in turns, for many %s', async (_what, text, least) => {
    let turns = 0;
    const takeTurn = async (): Promise<void> => void (turns += 1);
    await read(`${text}--b--\r\n`, takeTurn).catch(() => {});
    expect(turns).toBeGreaterThanOrEqual(Math.floor(least));
  });

  test('is read no further once it is refused', async () => {
    let turns = 0;
    const takeTurn = async (): Promise<void> => void (turns += 1);
    const reading = read(`--b\r\n${disposition('n')}\r\nx\r\n`.repeat(20_000), takeTurn);
    await expect(reading).rejects.toThrow('The body must not have more than 1000 parts.');
    expect(turns).toBeLessThan(40);
  });

  test('waits for no turn where it is small', async () => {
    const { value } = await read(`--b\r\n${disposition('n')}\r\nx\r\n--b--\r\n`, () =>
      Promise.reject(new Error('None.')),
    );
    expect(value).toEqual({ n: 'x' });
  });
});
