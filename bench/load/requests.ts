import { randomUUID } from 'node:crypto';
import { batchText } from './batch.ts';
import type { Work } from './plan.ts';

/** What one kind of work sends; `body` is called for each request, since no two may be the same. */
export interface RequestMaker {
  method: 'GET' | 'POST';
  expected: number;
  body: () => string | null;
}

export function requestMaker(work: Work): RequestMaker {
  switch (work.kind) {
    case 'create': {
      const { nameLength = 0 } = work;
      const run = randomUUID();
      let count = 0;
      return {
        method: 'POST',
        expected: 201,
        body: () => JSON.stringify({ name: `${run}-${(count += 1)}`.padEnd(nameLength, 'x') }),
      };
    }
    case 'ingest':
      return { method: 'POST', expected: 200, body: () => batchText(work) };
    case 'read':
      return { method: 'GET', expected: 200, body: () => null };
  }
}
