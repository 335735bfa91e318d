import { createRequire } from 'node:module';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadContract } from '@branchline/contract';
import { readStandingIn } from '../../output.ts';
import { findMissingJavaTool } from './java-tools.ts';
import { describeUnless } from '../../../test/support/describe-unless.ts';
import { generateProcess, waitUntilSaid, startGenerating, type Outcome } from '../../testing/generate-process.ts';
import { kotlinTarget } from './kotlin-target.ts';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const trainTravel = createRequire(import.meta.url).resolve('@readme/oas-examples/3.1/yaml/train-travel.yaml');
const place = 'android-sdk/inspector/src/commonMain/generated';
const types = `${place}/app/service/inspector/ServiceEventSchemaType.kt`;

/** A machine without Java and without Maven. */
const withoutJava = { ...process.env, PATH: dirname(process.execPath), JAVA_HOME: undefined };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'branchline-kotlin-test-'));
  await cp(join(repository, 'openapi.yaml'), join(folder, 'openapi.yaml'));
});
afterEach(() => rm(folder, { recursive: true }));

const read = (path: string): Promise<string> => readFile(join(folder, path), 'utf8');
const generate = (args: string[], env: NodeJS.ProcessEnv = process.env): Promise<Outcome> =>
  generateProcess(folder, args, { env });

/** The committed files, as someone has them who has cloned the repository. */
const clone = (): Promise<void> => cp(join(repository, place), join(folder, place), { recursive: true });

async function changeContract(...changes: [from: string, to: string][]): Promise<void> {
  const before = await read('openapi.yaml');
  const after = changes.reduce((text, [from, to]) => text.replace(from, to), before);
  expect(after).not.toBe(before);
  await writeFile(join(folder, 'openapi.yaml'), after);
}

const oneMoreType: [string, string][] = [
  ['- constant: ServiceNull\n', '- constant: ServiceDate\n      wireName: date\n    - constant: ServiceNull\n'],
  ['enum: [int, float,', 'enum: [date, int, float,'],
];

describeUnless(findMissingJavaTool(), 'the Inspector library', () => {
  test('what is committed is what the templates make of the contract', async () => {
    const contract = await loadContract(join(folder, 'openapi.yaml'));
    const made = await kotlinTarget.files(contract, readStandingIn(folder));
    const committed = readStandingIn(repository);
    for (const { path, text } of made) expect(await committed(path), path).toBe(text);
  });

  test('a change of the contract reaches Kotlin and TypeScript by one command', async () => {
    await clone();
    await changeContract(
      ...oneMoreType,
      ['wireName: prod\n      batchSize: 30', 'wireName: prod\n      batchSize: 55'],
      ['  - url: /\n', '  - url: https://inspector.example.com\n'],
      ['      name: api-key\n', '      name: x-inspector-key\n'],
      ['        library:\n', "        host: { $ref: '#/components/schemas/BatchApp' }\n        library:\n"],
    );
    expect(await generate([])).toMatchObject({ code: 0, stderr: '' });
    expect(await read(types)).toContain('public class ServiceDate : ServiceEventSchemaType() {');
    expect(await read(`${place}/app/service/inspector/ServiceInspectorEnv.kt`)).toContain('Prod("prod", 55, 30, ');
    const constants = await read(`${place}/branchline/inspector/wire/InspectorContract.kt`);
    expect(constants).toContain('val DEFAULT_ENDPOINT: String? = "https://inspector.example.com"');
    expect(constants).toContain('const val API_KEY_HEADER: String = "x-inspector-key"');
    const batch = await read(`${place}/branchline/inspector/wire/Batch.kt`);
    expect(batch).toContain('    val host: BatchApp? = null,\n');
    expect(batch).toContain(
      'if (host != null) {\n                json.name("host")\n                host.writeTo(json)\n',
    );
    expect(await read('server/generated/types.ts')).toContain('"date" | "int" | "float"');
  });

  test('Java does not start when nothing has changed', async () => {
    await clone();
    expect(await generate(['kotlin'], withoutJava)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^All \d+ files are up to date\.\n$/),
    });
    expect(await generate(['kotlin', '--check'], withoutJava)).toMatchObject({ code: 0 });
  });

  test('Java does not start when the contract has changed in what Kotlin does not hold', async () => {
    await clone();
    await changeContract(['summary: Create Branch\n', 'summary: Create branch\n']);
    expect(await generate(['kotlin'], withoutJava)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(new RegExp(`^wrote ${place}/manifest\\.json\n1 of \\d+ files written\\.\n$`)),
    });
  });

  test('a changed description changes the file that holds it, and the manifest', async () => {
    await clone();
    await changeContract(['Preferably a UUID of version 7', 'Preferably an UUID of version 7']);
    const { stdout } = await generate(['kotlin']);
    expect(stdout.split('\n').slice(0, -2)).toEqual([
      `wrote ${place}/branchline/inspector/wire/EventReport.kt`,
      `wrote ${place}/manifest.json`,
    ]);
  });

  test.each([
    { what: 'a file changed by hand', path: types, change: (text: string) => text.replace('"int"', '"integer"') },
    {
      what: 'a manifest that admits it',
      path: `${place}/manifest.json`,
      change: (text: string) => text.replace(/[0-9a-f]{64}/g, 'x'),
    },
  ])('--check finds $what', async ({ path, change }) => {
    await clone();
    await writeFile(join(folder, path), change(await read(path)));
    const { code, stdout } = await generate(['kotlin', '--check']);
    expect(code).toBe(1);
    expect(stdout).toContain(`--- a/${path}\n+++ b/${path}\n`);
  });

  test('--check finds a file that is missing and one too many', async () => {
    await clone();
    await rm(join(folder, types));
    await writeFile(join(folder, place, 'Relic.kt'), 'object Relic\n');
    const { code, stdout } = await generate(['kotlin', '--check']);
    expect(code).toBe(1);
    expect(stdout).toContain(`--- /dev/null\n+++ b/${types}\n`);
    expect(stdout).toContain(`--- a/${place}/Relic.kt\n+++ /dev/null\n`);
  });

  test('--watch makes it again after a change', async () => {
    await clone();
    const watching = startGenerating(folder, ['kotlin', '--watch']);
    try {
      await waitUntilSaid(watching, 'Watching openapi.yaml');
      const made = waitUntilSaid(watching, `wrote ${types}`);
      await changeContract(...oneMoreType);
      await made;
      expect(await read(types)).toContain('ServiceDate');
    } finally {
      watching.kill();
    }
  });

  test.each<[sentence: string, from: string, to: string]>([
    ['No operation has the operationId "sendBatch"', 'ingestOperation: ingestBatch', 'ingestOperation: sendBatch'],
    ['"x-branchline-inspector/environments/0/batchSize" must be integer.', 'batchSize: 1\n', 'batchSize: one\n'],
    [
      '"x-branchline-inspector/schemaTypes/0/constant" must match pattern',
      'constant: ServiceInt\n',
      'constant: "class"\n',
    ],
    ['"x-branchline-inspector" must have required property \'setters\'.', '  setters:\n', '  setter:\n'],
    [
      'The Inspector library can\'t hold "Batch.properties.batchId"',
      "        batchId:\n          $ref: '#/components/schemas/Uuid'\n",
      '        batchId: { type: array, items: { type: string } }\n',
    ],
    ['has no API key in a header', '      in: header\n      name: api-key\n', '      in: query\n      name: api-key\n'],
  ])('a contract that it can not be made of is refused: %s', async (sentence, from, to) => {
    await changeContract([from, to]);
    const { code, stderr } = await generate(['kotlin'], withoutJava);
    expect(stderr).toContain(sentence);
    expect(stderr).toMatch(/openapi\.yaml:\d+:\d+ {2}/);
    expect(code).toBe(2);
  });
});

describe('without what it needs', () => {
  test('no Java: one sentence, and nothing is written', async () => {
    const { code, stdout, stderr } = await generate([], withoutJava);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(
      /^branchline: Java is needed to generate Kotlin, .*; install a JDK 17, or name the other targets\.\n$/,
    );
    await expect(stat(join(folder, 'server'))).rejects.toThrow('ENOENT');
  });

  test('an old Java: one sentence', async () => {
    await program('java', `echo 'openjdk version "1.8.0_402"' >&2`);
    const { code, stderr } = await generate(['kotlin'], { ...withoutJava, JAVA_HOME: folder });
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^branchline: Java 11 or newer is needed .* is Java 8; install a JDK 17, or name the other targets\.\n$/,
    );
  });

  test('a jar that was damaged: one sentence, and it is not run', async () => {
    await program('java', `echo 'openjdk version "17.0.1"' >&2`);
    await mkdir(join(folder, 'branchline'));
    await writeFile(join(folder, 'branchline/openapi-generator-cli-7.25.0.jar'), 'half of it');
    const env = { ...withoutJava, JAVA_HOME: folder, XDG_CACHE_HOME: folder };
    const { code, stderr } = await generate(['kotlin'], env);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^branchline: .*openapi-generator-cli-7\.25\.0\.jar is damaged: .*; delete it and generate again\.\n$/,
    );
  });

  test('no jar and no Maven: one sentence that says where to put it', async () => {
    await program('java', `echo 'openjdk version "17.0.1"' >&2`);
    const env = { ...withoutJava, JAVA_HOME: folder, XDG_CACHE_HOME: join(folder, 'empty') };
    const { code, stderr } = await generate(['kotlin'], env);
    expect(code).toBe(2);
    expect(stderr).toContain(
      `install Maven 3.8 or newer, or put the jar at ${folder}/empty/branchline/openapi-generator-cli-7.25.0.jar.`,
    );
  });

  test('another contract gets its server all the same, and no Kotlin unless it is asked for', async () => {
    const { code, stdout } = await generate(['--spec', trainTravel, '--out', 'trains'], withoutJava);
    expect(code).toBe(0);
    expect(stdout).toContain('wrote server/generated/types.ts');
    expect(stdout).not.toContain('kotlin');
    expect(await generate(['kotlin', '--spec', trainTravel, '--out', 'trains'], withoutJava)).toMatchObject({
      code: 2,
    });
  });
});

/** A stand-in for a program, in a Java home of its own. */
async function program(name: string, line: string): Promise<void> {
  await mkdir(join(folder, 'bin'), { recursive: true });
  await writeFile(join(folder, 'bin', name), `#!/bin/sh\n${line}\n`);
  await chmod(join(folder, 'bin', name), 0o755);
}
