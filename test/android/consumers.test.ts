// @module-tag sqlite-alone
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { unzipSync } from 'fflate';
import { startTestServer } from '../support/server.ts';
import { type Aar, takeApart } from './support/aar.ts';
import { makeApk, missingApkTools } from './support/apk.ts';
import { kotlinLibrary, noR8, notPackaged } from './support/built.ts';
import { describeUnless } from '../support/describe-unless.ts';
import { Device } from './support/device.ts';
import { observed } from './support/observed.ts';
import { run } from './support/programs.ts';
import { compileSampleApp, mergeManifest, writeManifestRules } from './support/sample-app.ts';
import { dex, proguard, r8 } from './support/shrink.ts';

/** Compilers and shrinkers take their time on a busy machine. */
const PATIENCE_MS = 180_000;

/** What the sample app tracks while it is used, in Kotlin and in Java. */
const TRACKED = [
  {
    eventName: 'Order Paid',
    schema: [
      { name: 'productId', type: 'string' },
      { name: 'quantity', type: 'int' },
      { name: 'total', type: 'float' },
    ],
  },
  {
    eventName: 'Order Placed',
    schema: [
      { name: 'productId', type: 'string' },
      { name: 'quantity', type: 'int' },
    ],
  },
  {
    eventName: 'Product Viewed',
    schema: [
      { name: 'price', type: 'float' },
      { name: 'productId', type: 'string' },
      { name: 'tags', type: 'list', items: [{ type: 'null' }, { type: 'string' }] },
    ],
  },
];

let folder: string;
let dev: Aar;
let prod: Aar;
/** The sample app, compiled against dev, and against prod. */
let appOfDev: string;
let appOfProd: string;
let device: Device;

describeUnless(notPackaged, 'an app in Kotlin and Java that compiles against either artifact', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'branchline-consumers-'));
    dev = await takeApart('dev', join(folder, 'dev'));
    prod = await takeApart('prod', join(folder, 'prod'));
    appOfDev = await compileSampleApp(dev.classes, join(folder, 'app-of-dev'));
    appOfProd = await compileSampleApp(prod.classes, join(folder, 'app-of-prod'));
    device = await Device.make(folder, await mergeManifest(prod.manifest));
  }, PATIENCE_MS);

  afterAll(() => rm(folder, { recursive: true }));

  it('is the same against both', async () => {
    expect(await readFile(appOfDev)).toEqual(await readFile(appOfProd));
  });

  it('tracks with dev, in a debug build', { timeout: PATIENCE_MS }, async () => {
    await expectTracked([appOfDev, dev.classes, kotlinLibrary()], true);
  });

  it('tracks with prod where it was compiled against dev', { timeout: PATIENCE_MS }, async () => {
    await expectTracked([appOfDev, prod.classes, kotlinLibrary()]);
  });

  it(
    'tracks when ProGuard has shrunk it, with no rules for the library but its own',
    { timeout: PATIENCE_MS },
    async () => {
      const out = join(folder, 'proguard.jar');
      await proguard({ jars: [appOfProd, prod.classes], rules: await rules(prod), out });
      expect(await classesIn(out)).not.toContain('com/example/shop/Checkout.class');
      await expectTracked([out]);
    },
  );

  describeUnless(noR8(), 'by R8 and D8', () => {
    let shrunk: string;

    beforeAll(async () => {
      shrunk = join(folder, 'r8.jar');
      await r8({ jars: [appOfProd, prod.classes], rules: await rules(prod), out: shrunk });
    }, PATIENCE_MS);

    it(
      'tracks when R8 has shrunk it in full mode, with no rules for the library but its own',
      { timeout: PATIENCE_MS },
      async () => {
        expect(await classesIn(shrunk)).not.toContain('com/example/shop/Checkout.class');
        await expectTracked([shrunk]);
      },
    );

    it('has dev for Android 5.0, unshrunk', { timeout: PATIENCE_MS }, async () => {
      const dexed = await dex([dev.classes], [kotlinLibrary()], join(folder, 'dex-dev'));
      expect((await readFile(dexed)).subarray(0, 8)).toEqual(Buffer.from('dex\n035\0'));
    });

    describeUnless(missingApkTools(), 'and in an APK', () => {
      it(
        'is aligned, signed and verified for Android 5.0, and may use the network',
        { timeout: PATIENCE_MS },
        async () => {
          const dexed = await dex([shrunk], [], join(folder, 'dex'));
          const apk = await makeApk(await mergeManifest(prod.manifest), dexed, join(folder, 'apk'));
          await run('zipalign', ['-c', '4', apk]);
          const verified = await run('apksigner', ['verify', '--verbose', '--min-sdk-version', '21', apk]);
          expect(verified).toContain('Verified using v1 scheme (JAR signing): true');
          expect(verified).toContain('Verified using v2 scheme (APK Signature Scheme v2): true');
          const described = await run('aapt', ['dump', 'badging', apk]);
          expect(described).toContain("sdkVersion:'21'");
          expect(described).toContain("uses-permission: name='android.permission.INTERNET'");
          expect(described).toContain("launchable-activity: name='com.example.shop.MainActivity'");
          const packed = unzipSync(await readFile(apk))['classes.dex'];
          expect(Buffer.from(packed ?? []).includes('Lapp/service/inspector/ServiceInspector;')).toBe(true);
        },
      );
    });
  });
});

async function rules(aar: Aar): Promise<string[]> {
  return [aar.rules, await writeManifestRules(folder)];
}

/** Uses the app on a device, and looks at what a server of its own observes. */
async function expectTracked(app: readonly string[], debug = false): Promise<void> {
  const server = await startTestServer();
  const { origin: endpoint, apiKey } = server;
  const running = await device.use(app, { endpoint, apiKey, debug: String(debug) });
  try {
    const environment = debug ? 'dev' : 'prod';
    expect(await observed(server, TRACKED.length)).toEqual(
      TRACKED.map((event) => ({ ...event, environment, count: 1 })),
    );
  } finally {
    await running.leave();
    await server.close();
  }
}

async function classesIn(jar: string): Promise<string[]> {
  return Object.keys(unzipSync(await readFile(jar)));
}
