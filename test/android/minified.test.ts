import { expect, it } from 'vitest';
import { measureInspector } from '../../bench/android/minified.ts';
import { describeUnless } from '../support/describe-unless.ts';
import { BUILD, noR8, notPackaged } from './support/built.ts';

const PATIENCE_MS = 180_000;

describeUnless(notPackaged ?? noR8(), 'what an app pays for the library', () => {
  it('is at most 60 KB of DEX, 300 methods and 30 KB deflated, minified by R8', { timeout: PATIENCE_MS }, async () => {
    const { dexBytes, methods, deflatedBytes } = await measureInspector(BUILD);
    expect(dexBytes).toBeLessThanOrEqual(60 * 1_024);
    expect(methods).toBeLessThanOrEqual(300);
    expect(deflatedBytes).toBeLessThanOrEqual(30 * 1_024);
  });
});
