import { describe, it } from 'vitest';

/** Tests that something on this machine may keep from running: they are skipped and say why, but fail where `CI` is set. */
export function describeUnless(missing: string | undefined, title: string, body: () => void): void {
  if (missing === undefined) describe(title, body);
  else if (process.env['CI'] === undefined) describe.skip(`${title} (skipped: ${missing})`, body);
  else
    describe(title, () =>
      it('can be tested', () => {
        throw new Error(`It can not be tested: ${missing}`);
      }),
    );
}
