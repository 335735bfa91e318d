import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { android } from './built.ts';
import { run } from './programs.ts';

const TOOLS = ['aapt', 'zipalign', 'apksigner'] as const;

/** Which of Debian's Android build tools are not installed, as a sentence without its end. */
export function missingApkTools(): string | undefined {
  const missing = TOOLS.filter((tool) => spawnSync('which', [tool]).status !== 0);
  return missing.length === 0 ? undefined : `not installed: ${missing.join(', ')}`;
}

/** Puts an APK together, aligns it, and signs it with a key of its own. */
export async function makeApk(manifest: string, dex: string, folder: string): Promise<string> {
  await mkdir(folder);
  const [loose, apk] = [join(folder, 'loose.apk'), join(folder, 'app.apk')];
  await writeFile(join(folder, 'AndroidManifest.xml'), manifest);
  await run('aapt', ['package', '-M', join(folder, 'AndroidManifest.xml'), '-I', android(), '-F', loose]);
  // The name in the archive is that of the path, so it is added from where it lies.
  await copyFile(dex, join(folder, 'classes.dex'));
  await run('aapt', ['add', loose, 'classes.dex'], folder);
  await run('zipalign', ['4', loose, apk]);
  await sign(apk, join(folder, 'key.p12'));
  return apk;
}

async function sign(apk: string, store: string): Promise<void> {
  const password = randomUUID();
  const key = ['-alias', 'test', '-keyalg', 'RSA', '-dname', 'CN=Test', '-storepass', password];
  await run('keytool', ['-genkeypair', '-keystore', store, ...key]);
  await run('apksigner', ['sign', '--ks', store, '--ks-pass', `pass:${password}`, apk]);
}
