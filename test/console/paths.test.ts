import { expect, it } from 'vitest';
import { paths } from '../../console/src/navigation/paths.ts';

it('the way to sign in says where to return to', () => {
  const event = paths.event('shop', 'Product Viewed');
  expect(new URL(paths.signIn('shop', event), 'https://web.example').searchParams.get('return')).toBe(event);
});

it('it does not where that would make an address that is refused', () => {
  // Each of its characters is twelve in a path, and twenty in a query.
  const event = paths.event('shop', '𐐀'.repeat(1_024));
  expect(paths.signIn('shop', event)).toBe('/sign-in?workspace=shop');
});
