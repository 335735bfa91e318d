import { defineConfig } from 'vitest/config';

/** The tests that `npm run mutation` judges: those beside the rules, on the embedded database. */
export default defineConfig({
  test: {
    include: [
      'server/accounts/*.test.ts',
      'server/branches/{csv,handlers,iso-time,lifecycle,projection,store,suggest}.test.ts',
      'server/inspector/shape.test.ts',
      'server/inspector/ingest/{event-rules,event-validator,ingest}.test.ts',
      'server/storage/sqlite/token-buckets.test.ts',
    ],
    // On which engines a file runs is no question here.
    strictTags: false,
    testTimeout: 30_000,
  },
});
