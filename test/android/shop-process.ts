import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const BUILT = fileURLToPath(new URL('../../android-sdk/target', import.meta.url));

/** What starts the shop, as `java` wants it. */
const PLATFORMS = {
  jvm: ['com.example.shop.JvmShop'],
  android: ['org.junit.runner.JUnitCore', 'com.example.shop.AndroidShop'],
};

export type PlatformName = keyof typeof PLATFORMS;

export interface ShopSettings {
  endpoint: string;
  key: string;
  folder: string;
}

/** The shop, running in a process of its own. */
export interface ShopProcess {
  /** Has the customer do something, and waits until it is tracked. */
  customer: (step: string) => Promise<void>;
  /** Ends it as the system ends an app: at once. */
  kill: () => Promise<void>;
  /** Closes the shop. @returns the exit code */
  close: () => Promise<number | null>;
  /** All that it has written, its log too. */
  output: () => string;
}

/** Why the shop can't be started; undefined when it can. */
export function missingShop(): string | undefined {
  const isThere = Object.keys(PLATFORMS).every((name) => existsSync(join(BUILT, `sample-shop-${name}`, 'classpath')));
  return isThere ? undefined : 'the Android library is not built; run "npm run test:android" first';
}

/** Starts the shop and waits until it is open. */
export async function startShop(platform: PlatformName, settings: ShopSettings): Promise<ShopProcess> {
  const shop = spawn('java', [...javaOptions(platform, settings), ...PLATFORMS[platform]]);
  const ended = once(shop, 'exit');
  const chunks: Buffer[] = [];
  const output = () => Buffer.concat(chunks).toString();
  for (const stream of [shop.stdout, shop.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  const says = (line: string, times: number) =>
    new Promise<void>((resolve, reject) => {
      const look = () => {
        if (output().split(`shop: ${line}\n`).length > times) resolve();
      };
      shop.stdout.on('data', look);
      shop.once('exit', () => reject(new Error(`The shop ended before it said "${line}":\n${output()}`)));
      look();
    });
  await says('open', 1);
  const done = new Map<string, number>();
  return {
    output,
    customer: (step) => {
      const times = (done.get(step) ?? 0) + 1;
      done.set(step, times);
      shop.stdin.write(`${step}\n`);
      return says(`did ${step}`, times);
    },
    kill: async () => {
      shop.kill('SIGKILL');
      await ended;
    },
    close: async () => {
      shop.stdin.end();
      await ended;
      return shop.exitCode;
    },
  };
}

function javaOptions(platform: PlatformName, { endpoint, key, folder }: ShopSettings): string[] {
  const built = join(BUILT, `sample-shop-${platform}`);
  return [
    `-Dshop.endpoint=${endpoint}`,
    `-Dshop.key=${key}`,
    `-Dshop.folder=${folder}`,
    '-Drobolectric.offline=true',
    `-Drobolectric.dependency.dir=${join(BUILT, 'robolectric')}`,
    '-cp',
    `${join(built, 'classes')}:${readFileSync(join(built, 'classpath'), 'utf8')}`,
  ];
}
