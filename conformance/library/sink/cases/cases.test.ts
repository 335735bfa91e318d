import { describe, expect, it } from 'vitest';
import { clausesById, clauses } from '../../../clauses.ts';
import { phases } from '../phases/index.ts';
import { libraryCases } from './index.ts';

/** Tried by the vectors. */
const BY_VECTORS = 'INSPECTOR-PROFILE-EXTRACTION-1';

describe('the cases of a client library', () => {
  it('have ids of their own', () => {
    expect(new Set(libraryCases.map(({ id }) => id)).size).toBe(libraryCases.length);
  });

  it.each(libraryCases)('$id cites clauses of a library, all of one level', ({ clauses: cited }) => {
    const found = cited.map((id) => clausesById.get(id));
    expect(found.map((clause) => clause?.subject)).toEqual(cited.map(() => 'library'));
    expect(new Set(found.map((clause) => clause?.level)).size).toBe(1);
  });

  it('leave no clause of a library out', () => {
    const cited = new Set([...libraryCases.flatMap((one) => one.clauses), BY_VECTORS]);
    const missing = clauses.filter(({ subject, id }) => subject === 'library' && !cited.has(id));
    expect(missing.map(({ id }) => id)).toEqual([]);
  });

  it('belong to phases that there are, and each phase has a use', () => {
    const named = new Set(libraryCases.flatMap(({ phase }) => phase ?? []));
    expect([...named].filter((name) => !phases.some((phase) => phase.name === name))).toEqual([]);
  });
});
