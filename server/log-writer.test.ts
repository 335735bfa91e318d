import { expect, test } from 'vitest';
import { LogWriter, MAX_WAITING } from './log-writer.ts';

/** A place to write to that can be full, or take only some bytes at a time. */
function unreliable() {
  const place = {
    text: '',
    writes: 0,
    dropped: 0,
    recoveries: [] as number[],
    obstacle: undefined as string | undefined,
    takesAtOnce: Infinity,
  };
  const writer: LogWriter = new LogWriter({
    write(bytes) {
      if (place.obstacle !== undefined)
        throw Object.assign(new Error('a fault of this test'), { code: place.obstacle });
      place.writes += 1;
      const taken = bytes.subarray(0, place.takesAtOnce);
      place.text += Buffer.from(taken).toString('latin1');
      return taken.length;
    },
    onDrop: () => (place.dropped += 1),
    onRecovery(dropped) {
      place.recoveries.push(dropped);
      writer.write('recovered\n');
    },
  });
  return { place, writer };
}

test('the lines of one turn of the event loop are one write', async () => {
  const { place, writer } = unreliable();
  for (const line of ['a\n', 'b\n', 'c\n']) writer.write(line);
  expect(place.writes).toBe(0);
  await expect.poll(() => place.text).toBe('a\nb\nc\n');
  expect(place.writes).toBe(1);
});

test('what is taken in pieces arrives whole and in order', () => {
  const { place, writer } = unreliable();
  place.takesAtOnce = 3;
  writer.write('één\n');
  writer.write('twee\n');
  expect(writer.flush()).toBe('done');
  expect(Buffer.from(place.text, 'latin1').toString()).toBe('één\ntwee\n');
});

test.each(['ENOSPC', 'EPIPE', 'EAGAIN'])(
  'after %s the lines that waited are written, by themselves, then how many were dropped, then what is new',
  async (obstacle) => {
    const { place, writer } = unreliable();
    const line = `${'x'.repeat(1_023)}\n`;
    place.obstacle = obstacle;
    for (let sent = 0; sent < MAX_WAITING + 3 * line.length; sent += line.length) writer.write(line);
    expect(writer.flush()).toBe(obstacle === 'EAGAIN' ? 'busy' : 'failed');
    expect(place).toMatchObject({ text: '', dropped: 3, recoveries: [] });

    writer.flush();
    writer.write(line);
    expect(place.dropped, 'the bound holds while some wait for another try').toBe(4);
    place.obstacle = undefined;
    await expect.poll(() => place.recoveries).toEqual([4]);
    writer.write('new\n');
    await writer.end();
    expect(place.text).toBe(`${line.repeat(MAX_WAITING / line.length)}recovered\nnew\n`);
  },
);

test('the end waits for a reader that is slow', async () => {
  const { place, writer } = unreliable();
  place.obstacle = 'EAGAIN';
  writer.write('last\n');
  const ended = writer.end();
  place.obstacle = undefined;
  await ended;
  expect(place.text).toBe('last\n');
});

test('the end does not wait for a disk that is full', async () => {
  const { place, writer } = unreliable();
  place.obstacle = 'ENOSPC';
  writer.write('last\n');
  const ended = await Promise.race([writer.end().then(() => 'ended'), new Promise((resolve) => setImmediate(resolve))]);
  expect(ended).toBe('ended');
});

test('a place that takes nothing is tried again, not for ever at once', () => {
  const { place, writer } = unreliable();
  place.takesAtOnce = 0;
  writer.write('a\n');
  expect(writer.flush()).toBe('busy');
});
