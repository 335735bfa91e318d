import { expect, test } from 'vitest';
import { AnotherLife, DatabaseLives } from './database-lives.ts';

test('what is remembered before the first look counts as of the life that it sees', () => {
  const lives = new DatabaseLives();
  const name = lives.nameOf('shop');
  lives.require('shop', name, 'one');
  lives.require('shop', name, 'one');
  expect(lives.nameOf('shop')).toBe(name);
});

test('another life has another name, and is trusted from the next time on', () => {
  const lives = new DatabaseLives();
  const name = lives.nameOf('shop');
  lives.require('shop', name, 'one');
  expect(() => lives.require('shop', name, 'two')).toThrow(AnotherLife);
  const next = lives.nameOf('shop');
  expect(next).not.toBe(name);
  lives.require('shop', next, 'two');
});

test('a name that was taken before somebody else saw the other life is not trusted', () => {
  const lives = new DatabaseLives();
  const name = lives.nameOf('shop');
  lives.require('shop', name, 'one');
  expect(() => lives.require('shop', name, 'two')).toThrow(AnotherLife);
  lives.require('shop', lives.nameOf('shop'), 'two');
  expect(() => lives.require('shop', name, 'two')).toThrow(AnotherLife);
});

test('workspaces have names of their own, and a life each', () => {
  const lives = new DatabaseLives();
  const [shop, bank] = [lives.nameOf('shop'), lives.nameOf('bank')];
  expect(shop).not.toBe(bank);
  lives.require('shop', shop, 'one');
  lives.require('bank', bank, 'two');
  expect([lives.nameOf('shop'), lives.nameOf('bank')]).toEqual([shop, bank]);
});

test('a loss is told, and ends what is remembered of its workspace alone', () => {
  const lives = new DatabaseLives();
  const [shop, bank] = [lives.nameOf('shop'), lives.nameOf('bank')];
  const told: unknown[] = [];
  lives.onLoss((...loss) => told.push(loss));
  lives.reportLoss('shop', 3);
  expect(told).toEqual([['shop', 3]]);
  expect(lives.nameOf('shop')).not.toBe(shop);
  expect(lives.nameOf('bank')).toBe(bank);
});
