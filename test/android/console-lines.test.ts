import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DescribedProperty, DescribedType } from '../../console/src/inspector/described-schema.ts';
import { kotlinMapText } from '../../console/src/inspector/kotlin-map.ts';
import { gradleLines, kotlinLines } from '../../console/src/inspector/snippets.ts';
import { describeUnless } from '../support/describe-unless.ts';
import { takeApart } from './support/aar.ts';
import { classpath, kotlinLibrary, notPackaged } from './support/built.ts';
import { kotlinc, run, SHORT_LIVED } from './support/programs.ts';

/** The Kotlin that the console offers to copy, compiled against the library as apps get it. */

/** A compiler takes its time on a busy machine. */
const PATIENCE_MS = 180_000;

const NAMES = [
  'plain',
  'quoted "twice" and \'once\'',
  '"""',
  '$price',
  '${price}',
  String.raw`\$price \n \u0041 \\`,
  'line\nbreak\r\ttab',
  'emoji 👩‍👩‍👧 🇩🇪 ✌🏽 ❤️',
  'half \ud83d',
  'right-to-left \u202e and a space\u00a0of another kind \u2028',
  'عربي 中文',
  'fun',
  'val',
  'null',
  '`backticks`',
  '*/ // /*',
  '%s {0} #{x}',
  '',
  '@Suppress("x")',
  'l'.repeat(1_024),
];

const scalars = ['int', 'float', 'boolean', 'string', 'null', 'unknown'] as const;

/** Every type, alone and in others. */
const TYPES: DescribedType[] = [
  ...scalars.map((type) => ({ type })),
  { type: 'list', elements: [] },
  { type: 'list', elements: scalars.map((type) => ({ type })) },
  { type: 'object', properties: [] },
  {
    type: 'object',
    properties: NAMES.map((name) => property(name, [{ type: 'list', elements: [{ type: 'object', properties: [] }] }])),
  },
];

const EVENTS: [name: string, properties: DescribedProperty[]][] = [
  ...NAMES.map((name): [string, DescribedProperty[]] => [name, NAMES.map((one) => property(one))]),
  ['every type', TYPES.map((type, index) => property(`type ${index}`, [type, ...TYPES]))],
  ['as many as a shape may have', Array.from({ length: 500 }, (_, index) => property(`property ${index}`))],
  ['nothing', []],
];

function property(name: string, types: DescribedType[] = [{ type: 'int' }]): DescribedProperty {
  return { name, required: true, types };
}

describeUnless(notPackaged, 'the lines that the console offers', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'branchline-lines-'));
    const { classes } = await takeApart('dev', join(folder, 'dev'));
    const sources = Object.entries({ ...maps(), ...application(), ...gradle() });
    for (const [name, text] of sources) await writeFile(join(folder, name), text);
    const jars = [classes, ...classpath('prod/compile')];
    await kotlinc(
      sources.map(([name]) => join(folder, name)),
      jars,
      join(folder, 'lines.jar'),
    );
  }, PATIENCE_MS);

  afterAll(() => rm(folder, { recursive: true }));

  it('are Kotlin that compiles without a warning, and the maps hold the names as they were sent', async () => {
    const jars = [join(folder, 'lines.jar'), join(folder, 'dev/classes.jar'), kotlinLibrary()];
    const said = await run('java', [...SHORT_LIVED, '-cp', jars.join(':'), 'MapsKt']);
    const tracked = said
      .trim()
      .split('\n')
      .map((line) => line.split(' ').map(fromHex));
    expect(tracked).toEqual(EVENTS.map(([name, properties]) => [name, ...properties.map((one) => one.name)]));
  });
});

/** Each as a function of its own: once for the library's inspector, and once for one that says what it is given, in hexadecimal. */
function maps(): Record<string, string> {
  const bodies = EVENTS.map(([name, properties]) => bodyOf(kotlinMapText(name, properties)));
  const functions = bodies.flatMap((body, index) => [
    `fun compiled${index}(inspector: ServiceInspector) {\n${body}\n}`,
    `fun told${index}(inspector: Told) {\n${body}\n}`,
  ]);
  return {
    'Maps.kt': `
import app.service.inspector.ServiceEventSchemaType
import app.service.inspector.ServiceInspector

object Told {
    fun trackSchema(name: String, schema: Map<String, ServiceEventSchemaType>) {
        println((listOf(name) + schema.keys).joinToString(" ") { text -> text.map { "%04x".format(it.code) }.joinToString("") })
    }
}

${functions.join('\n\n')}

fun main() {
${bodies.map((_, index) => `    told${index}(Told)`).join('\n')}
}
`,
  };
}

/** The lines of an app, where they say that they belong. */
function application(): Record<string, string> {
  const origins = ['http://localhost:3000', 'https://branchline.example.com'];
  const applications = origins.map(
    (origin, index) => `
class Application${index} : Application() {
    override fun onCreate() {
        super.onCreate()
${bodyOf(kotlinLines(origin, 'bl_shop.019a0b7c-3f7e-7c31-8f5e-2d9f0f6f2a11.0123456789-_abc'))}
    }
}`,
  );
  const [imports] = split(kotlinLines('https://branchline.example.com', 'key'));
  return { 'Applications.kt': `import android.app.Application\n${imports}\n${applications.join('\n')}\n` };
}

/** The lines of a build, in functions that stand for what Gradle offers a build of its own. */
function gradle(): Record<string, string> {
  return {
    'Gradle.kt': `
class Repository { var url: java.net.URI? = null }
fun maven(configure: Repository.() -> Unit) { Repository().configure() }
fun uri(text: String): java.net.URI = java.net.URI(text)
class Dependencies {
    fun debugImplementation(coordinates: String) { check(coordinates.split(":").size == 3) }
    fun releaseImplementation(coordinates: String) { check(coordinates.split(":").size == 3) }
}
fun dependencies(configure: Dependencies.() -> Unit) { Dependencies().configure() }

fun build() {
${gradleLines('1.2.3')}
}
`,
  };
}

/** The imports of pasted lines, and the rest. */
function split(lines: string): [imports: string, body: string] {
  const all = lines.split('\n');
  const isImport = (line: string): boolean => line.startsWith('import ');
  return [all.filter(isImport).join('\n'), all.filter((line) => !isImport(line)).join('\n')];
}

function bodyOf(lines: string): string {
  return split(lines)[1];
}

/** UTF-16, four digits a unit. */
function fromHex(digits: string): string {
  return (digits.match(/.{4}/g) ?? []).map((unit) => String.fromCharCode(Number.parseInt(unit, 16))).join('');
}
