import { createRequire } from 'node:module';

const { version }: { version: string } = createRequire(import.meta.url)('../package.json');

/** What a report says that it was made by. */
export const TOOL = { name: 'branchline contract test', version };

/** What a server is told that calls it. */
export const USER_AGENT = `branchline-contract-test/${version}`;
