import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { compareBytes } from './rows.ts';

const texts = fc.string({
  unit: fc.constantFrom('a', 'b', 'ß', '\ud7ff', '\ue000', '\uffff', '😀', '𝒳'),
  maxLength: 4,
});

test('texts are compared by their bytes, which are not made', () => {
  const made = vi.spyOn(Buffer, 'from');
  fc.assert(
    fc.property(texts, texts, (a, b) => {
      made.mockClear();
      const order = Math.sign(compareBytes(a, b));
      expect(made).not.toHaveBeenCalled();
      expect(order).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
  );
  made.mockRestore();
});
