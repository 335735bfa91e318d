import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, it } from 'vitest';
import { describeUnless } from '../support/describe-unless.ts';
import { takeApart } from './support/aar.ts';
import { classpath, notPackaged, released } from './support/built.ts';
import { javac, kotlinc } from './support/programs.ts';

/** The Kotlin and Java of README.md and docs/android.md, compiled as they are pasted, against the library as apps get it. */

/** A compiler takes its time on a busy machine. */
const PATIENCE_MS = 180_000;

/** What an app has already, so that a snippet may name it. */
const KOTLIN_APP = `package com.example.shop

object BuildConfig { const val DEBUG = true }
class Payload(val type: String, val event: String, val properties: Map<String, Any?>)`;

const JAVA_APP = `package com.example.shop;

final class BuildConfig { static final boolean DEBUG = true; }`;

interface Snippet {
  language: string;
  imports: string;
  body: string;
}

describeUnless(notPackaged, 'the snippets of the documentation', () => {
  let folder: string;
  let snippets: Snippet[];
  let android: string[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'branchline-pasted-'));
    const texts = await Promise.all(['README.md', 'docs/android.md'].map((name) => readFile(name, 'utf8')));
    snippets = texts.flatMap(findSnippets);
    const { classes } = await takeApart('dev', join(folder, 'dev'));
    android = [classes, ...classpath('prod/compile')];
  });

  afterAll(() => rm(folder, { recursive: true }));

  it('are Kotlin that compiles', { timeout: PATIENCE_MS }, async () => {
    const pasted = snippets.filter(({ language }) => language !== 'java').map(pasteKotlin);
    await kotlinc(await write('kotlin', [['App.kt', KOTLIN_APP], ...pasted]), android, join(folder, 'kotlin.jar'));
  });

  it('are Java that compiles, for Android and for a plain JVM', { timeout: PATIENCE_MS }, async () => {
    const java = snippets.filter(({ language }) => language === 'java');
    const isPlain = ({ imports }: Snippet): boolean => imports.includes('JvmApplication');
    const app: [string, string] = ['BuildConfig.java', JAVA_APP];
    const ofAndroid = java.filter((snippet) => !isPlain(snippet)).map(pasteJava);
    await javac(await write('java', [app, ...ofAndroid]), android, join(folder, 'java'));
    const ofJvm = java.filter(isPlain).map(pasteJava);
    const jvm = [released('prod', '.jar'), ...classpath('prod/compile')];
    await javac(await write('jvm', ofJvm), jvm, join(folder, 'jvm'));
  });

  async function write(name: string, sources: readonly [name: string, text: string][]): Promise<string[]> {
    await mkdir(join(folder, name));
    const files = sources.map(([file, text]): [string, string] => [join(folder, name, file), text]);
    for (const [file, text] of files) await writeFile(file, text);
    return files.map(([file]) => file);
  }
});

function findSnippets(text: string): Snippet[] {
  return [...text.matchAll(/^```(java|kotlin|kt)\n(.*?)^```$/gms)].map(([, language = '', lines = '']) => {
    const [, imports = '', body = ''] = /^((?:(?:import [^\n]*)?\n)*)(.*)$/s.exec(lines) ?? [];
    return { language, imports, body };
  });
}

/** The class that a snippet declares; undefined for one that goes into a function. */
function findClass(body: string): string | undefined {
  return /^(?:public |final )*(?:class|interface|object) (\w+)/m.exec(body)?.[1];
}

function pasteKotlin({ imports, body }: Snippet, index: number): [string, string] {
  const name = findClass(body) ?? `Pasted${index}`;
  const text =
    findClass(body) !== undefined
      ? body
      : `abstract class ${name} : android.app.Application() {
    lateinit var inspector: app.service.inspector.ServiceInspector
    abstract val payload: Payload
    abstract fun proceed(payload: Payload)

    fun paste() {
${body}
    }
}`;
  return [`${name}.kt`, `package com.example.shop\n${imports}\n${text}`];
}

function pasteJava({ imports, body }: Snippet, index: number): [string, string] {
  const name = findClass(body) ?? `Pasted${index}`;
  const text =
    findClass(body) !== undefined
      ? body
      : `abstract class ${name} extends android.app.Application {
    app.service.inspector.ServiceInspector inspector;
    android.app.Activity activity;
    Object order;

    void paste() throws Exception {
${body}
    }
}`;
  return [`${name}.java`, `package com.example.shop;\n${imports}\n${text}`];
}
