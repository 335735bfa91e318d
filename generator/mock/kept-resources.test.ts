import { describe, expect, it } from 'vitest';
import { KeptResources } from './kept-resources.ts';

describe('what is kept', () => {
  it('is at most so many, those that were written last', () => {
    const kept = new KeptResources({ resources: 3, size: 1_000 });
    for (const id of ['a', 'b', 'c']) kept.set('/pets', id, { id });
    kept.set('/pets', 'a', { id: 'a', name: 'Rex' });
    kept.set('/owners', 'd', { id: 'd' });
    expect(kept.list('/pets')).toEqual([{ id: 'a', name: 'Rex' }, { id: 'c' }]);
    expect(kept.list('/owners')).toEqual([{ id: 'd' }]);
  });

  it('is at most so large, whichever collections it is in', () => {
    const kept = new KeptResources({ resources: 1_000, size: 1_000 });
    for (let at = 0; at < 20; at += 1) kept.set(`/owners/${at}/notes`, '1', { text: 'x'.repeat(400) });
    const standing = Array.from({ length: 20 }, (_, at) => kept.list(`/owners/${at}/notes`).length);
    expect(standing.lastIndexOf(0)).toBe(17);
    kept.set('/large', '1', { text: 'x'.repeat(2_000) });
    expect(kept.get('/large', '1')).toBeUndefined();
  });

  it('has room again where something was deleted, or got smaller', () => {
    const kept = new KeptResources({ resources: 2, size: 1_000 });
    kept.set('/pets', 'a', { text: 'x'.repeat(800) });
    kept.set('/pets', 'a', { text: '' });
    kept.set('/pets', 'b', { text: 'x'.repeat(800) });
    expect(kept.list('/pets')).toHaveLength(2);
    kept.delete('/pets', 'b');
    kept.delete('/pets', 'nobody');
    kept.set('/pets', 'c', { text: 'x'.repeat(800) });
    expect(kept.list('/pets')).toEqual([{ text: '' }, { text: 'x'.repeat(800) }]);
  });
});
