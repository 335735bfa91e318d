import { describe, expect, it } from 'vitest';
import { clausesById, clauses } from '../clauses.ts';
import { faults } from './faults/index.ts';
import { variants } from './variants/index.ts';

describe('the catalogue', () => {
  it('has enough faults and lawful variants, each with a name of its own', () => {
    const names = [...faults, ...variants].map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(faults.length).toBeGreaterThanOrEqual(600);
    expect(variants.length).toBeGreaterThanOrEqual(250);
  });

  it('breaks each clause that is required of a service', () => {
    const broken = new Set(faults.flatMap(({ breaks }) => breaks));
    const required = clauses.filter(({ level, subject }) => level === 'required' && subject === 'service');
    expect(required.map(({ id }) => id).filter((id) => !broken.has(id))).toEqual([]);
  });

  it('breaks nothing but what is required of a service', () => {
    for (const { name, breaks } of faults) {
      expect(breaks.length, name).toBeGreaterThan(0);
      for (const id of breaks)
        expect(clausesById.get(id), name).toMatchObject({ level: 'required', subject: 'service' });
    }
  });
});
