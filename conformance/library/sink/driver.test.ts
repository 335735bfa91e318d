import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { type Driver, driverCommand, type Request } from './driver.ts';

const reference = `"${process.execPath}" "${fileURLToPath(new URL('testing/driver.ts', import.meta.url))}"`;
const extract: Request = { do: 'extract', id: 'a', input: { map: [[{ string: 'n' }, { int: '1' }]] } };

const drivers: Driver[] = [];
afterEach(async () => {
  await Promise.all(drivers.splice(0).map((driver) => driver.kill()));
});

function started(command: string): Driver {
  const driver = driverCommand(command)();
  drivers.push(driver);
  return driver;
}

/** A driver in one expression, which is given each line. */
function inline(expression: string): string {
  const program = `require('readline').createInterface({input: process.stdin}).on('line', (line) => { ${expression} })`;
  return `"${process.execPath}" -e "${program}"`;
}

describe('a driver that is a process', () => {
  it('answers one line of JSON with another', async () => {
    const driver = started(reference);
    expect(await driver.ask(extract)).toEqual({ ok: true, schema: [{ name: 'n', type: 'int' }] });
    expect(await driver.ask({ ...extract, input: { map: [[{ string: 'n' }, { char: 'x' }]] } })).toEqual({
      ok: false,
      unsupported: 'no "char" in this language',
    });
    await driver.stop();
  });

  it('may log on its standard output', async () => {
    const driver = started(
      inline(`console.log('I: sent'); console.log('{}'); console.log('{"ok":true}')`.replaceAll('"', '\\"')),
    );
    expect(await driver.ask(extract)).toEqual({ ok: true, schema: undefined });
  });

  it('that ends says with what words', async () => {
    const driver = started(inline(`console.error('No such class.'); process.exit(1)`));
    await expect(driver.ask(extract)).rejects.toThrow(
      'The driver ended when it was asked to "extract". It said: No such class.',
    );
    await expect(driver.ask(extract)).rejects.toThrow('The driver ended');
  });

  it('is killed with all that the shell has started', async () => {
    const listen = `const server = require('net').createServer().listen(0, '127.0.0.1', () =>`;
    const driver = started(
      `${inline(`${listen} console.log(JSON.stringify({ ok: true, schema: server.address().port })))`)} | cat`,
    );
    const reply = await driver.ask(extract);
    const port = reply.ok ? Number(reply.schema) : 0;
    expect(await isOpen(port)).toBe(true);
    await driver.kill();
    await expect.poll(() => isOpen(port)).toBe(false);
  });
});

function isOpen(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
  return promise.finally(() => socket.destroy());
}
