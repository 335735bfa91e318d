import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{bin,generator,server,conformance,test}/**/*.test.ts'],
    reporters: [['default', { summary: false }], './test/support/closing-line.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
