import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { hasBundle } from '../server/program.ts';
import { startProcess } from './support/command-line.ts';
import { describeUnless } from './support/describe-unless.ts';

const folder = mkdtempSync(join(tmpdir(), 'branchline-started-files-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Makes a process tell of each file that it loads. */
const TELL = `data:text/javascript,${encodeURIComponent(`
  import { writeSync } from 'node:fs';
  import { registerHooks } from 'node:module';
  registerHooks({
    load(url, context, next) {
      if (url.startsWith('file:')) writeSync(2, 'loads ' + url + '\\n');
      return next(url, context);
    },
  });
`)}`;

describeUnless(
  hasBundle() ? undefined : 'the server is not bundled: npm run build:server',
  'the bundled server',
  () => {
    it('starts from few files, and answers', async () => {
      const server = await startProcess(join(folder, 'branchline.db'), [], { NODE_OPTIONS: `--import=${TELL}` });
      const answer = await fetch(`${server.origin}/livez`);
      await server.stop();
      expect(answer.status).toBe(200);
      const files = [...server.log().matchAll(/^loads (.+)$/gm)].map(([, url = '']) => url);
      expect(files).toContainEqual(expect.stringMatching(/\/server\/dist\/bundle\/main\.js$/));
      // The command line, and the bundles; from its sources it has loaded over a thousand.
      expect(files.length).toBeLessThan(100);
    });
  },
);
