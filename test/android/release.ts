import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const contract: { info: { version: string } } = parse(
  readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8'),
);

/** The tag under which the tests release the Android library: the version that its sources have. */
export const TAG = contract.info.version;

/** Where the tests release it. */
export const RELEASE = fileURLToPath(new URL('../../android-sdk/target/release', import.meta.url));
