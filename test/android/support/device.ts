import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { BUILD, classpath } from './built.ts';
import { run, SHORT_LIVED } from './programs.ts';

const HARNESS = fileURLToPath(new URL('../consumers/Device.java', import.meta.url));

/** An Android 14 by Robolectric, for apps of the sample's making. */
export class Device {
  readonly #jars: readonly string[];

  private constructor(jars: readonly string[]) {
    this.#jars = jars;
  }

  static async make(folder: string, manifest: string): Promise<Device> {
    const classes = join(folder, 'device');
    const tools = join(classes, 'com/android/tools');
    await mkdir(tools, { recursive: true });
    const stubs = join(BUILD.sdk, 'robolectric-stubs');
    const sources = (await readdir(stubs, { recursive: true })).filter((name) => name.endsWith('.java'));
    const jars = classpath('prod/test');
    await run('javac', ['-cp', jars.join(':'), '-d', classes, HARNESS, ...sources.map((name) => join(stubs, name))]);
    await writeFile(join(folder, 'merged.xml'), manifest);
    await writeFile(join(classes, 'robolectric.properties'), 'sdk=34\n');
    await writeFile(join(tools, 'test_config.properties'), `android_merged_manifest=${join(folder, 'merged.xml')}\n`);
    // What the app needs of Kotlin it has to bring.
    return new Device([classes, ...jars.filter((jar) => !jar.includes('/org/jetbrains/kotlin/'))]);
  }

  /** Starts the app and uses it. It runs until `leave`. */
  async use(app: readonly string[], properties: Readonly<Record<string, string>>): Promise<Running> {
    const settings = {
      activity: 'com.example.shop.MainActivity',
      'robolectric.offline': 'true',
      'robolectric.dependency.dir': join(BUILD.target, 'robolectric'),
      ...properties,
    };
    const options = Object.entries(settings).map(([name, value]) => `-D${name}=${value}`);
    const jars = [...app, ...this.#jars].join(':');
    return started(
      spawn('java', [...SHORT_LIVED, ...options, '-cp', jars, 'org.junit.runner.JUnitCore', 'Device']),
      'USED',
    );
  }
}

/** A process that runs until its input ends. */
export interface Running {
  leave: () => Promise<void>;
}

/** Waits for the line that says that all is under way. */
export async function started(child: ChildProcess, sign: string): Promise<Running> {
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const ended = once(child, 'exit');
  await new Promise<void>((resolve, reject) => {
    if (child.stdout === null) throw new Error('The output is not piped.');
    createInterface({ input: child.stdout }).on('line', (line) => {
      said += `${line}\n`;
      if (line.endsWith(sign)) resolve();
    });
    child.once('exit', (code) => reject(new Error(`It ended with ${code}:\n${said}`)));
  });
  return {
    leave: async () => {
      child.stdin?.end();
      await ended;
    },
  };
}
