import { expect, it } from 'vitest';
import { isEmail } from './email.ts';

const UNSEEN = /[\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}]/u;

/** All characters of the basic plane but the at sign, and halves of others. */
const CHARACTERS = Array.from({ length: 0x1_00_00 }, (_, code) => String.fromCharCode(code)).filter(
  (character) => character !== '@' && !/\p{Cs}/u.test(character),
);

it.each([
  ['before the at sign', (character: string) => `a${character}b@example.com`],
  ['after the at sign', (character: string) => `ab@exam${character}ple.com`],
  ['at the beginning', (character: string) => `${character}ab@example.com`],
  ['at the end', (character: string) => `ab@example.com${character}`],
])('holds every character but those that nobody sees %s', (_where, write) => {
  const mistaken = CHARACTERS.filter((character) => isEmail(write(character)) === UNSEEN.test(character));
  expect(mistaken.map((character) => character.charCodeAt(0).toString(16))).toEqual([]);
});
