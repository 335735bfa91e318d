import { type Mutation, type MutationRule, breakKeyword, keepValid } from '../mutation.ts';
import { readNumber, readText } from '../schema-object.ts';
import type { SchemaLocation } from '../schema-location.ts';

/** The edges of `minLength` and `maxLength` (in characters, that is code points), `pattern` and `format`. */
export const mutateString: MutationRule = (location) => {
  const { value } = location;
  if (typeof value !== 'string') return [];
  return [...mutateLength(location, value), ...mutatePattern(location, value), ...mutateFormat(location, value)];
};

function mutateLength(location: SchemaLocation, value: string): Mutation[] {
  const least = readNumber(location.schema, 'minLength');
  const most = readNumber(location.schema, 'maxLength');
  const mutations: Mutation[] = [];
  if (least !== undefined && least > 0) {
    mutations.push(
      keepValid(location, {
        rule: 'minLength-at',
        says: `has ${countCharacters(least)}, exactly its minLength`,
        candidates: resizeText(value, least),
      }),
      breakKeyword(location, 'minLength', {
        rule: 'minLength-below',
        says: `has ${countCharacters(least - 1)}, one fewer than its minLength`,
        candidates: resizeText(value, least - 1),
      }),
    );
  }
  if (most !== undefined) {
    mutations.push(
      keepValid(location, {
        rule: 'maxLength-at',
        says: `has ${countCharacters(most)}, exactly its maxLength`,
        candidates: resizeText(value, most),
      }),
      keepValid(location, {
        rule: 'maxLength-at-astral',
        says: `has ${countCharacters(most)} outside the Basic Multilingual Plane, exactly its maxLength`,
        candidates: most > mostCharacters ? [] : ['😀'.repeat(most)],
      }),
      breakKeyword(location, 'maxLength', {
        rule: 'maxLength-above',
        says: `has ${countCharacters(most + 1)}, one more than its maxLength`,
        candidates: resizeText(value, most + 1),
      }),
    );
  }
  return mutations;
}

function countCharacters(count: number): string {
  return count === 1 ? '1 character' : `${count} characters`;
}

const mostPlaces = 64;

/** Longer texts would be more of a load test than a case. */
const mostCharacters = 1_000_000;

/** Strings of a length made from a valid one, so that they are likely to keep its pattern and format; none of more than a million characters. */
export function resizeText(value: string, length: number): string[] {
  if (length > mostCharacters) return [];
  const characters = [...value];
  if (length <= characters.length) {
    const cut = characters.length - length;
    const middle = Math.ceil(length / 2);
    return [
      characters.slice(0, length),
      characters.slice(cut),
      [...characters.slice(0, middle), ...characters.slice(middle + cut)],
    ].map((part) => part.join(''));
  }
  const last = characters.length - 1;
  const places = [...new Set([last, ...characters.keys()])].slice(0, mostPlaces);
  const grown = places.map((place) => {
    const run = (characters[place] ?? 'a').repeat(length - characters.length);
    return characters.slice(0, place + 1).join('') + run + characters.slice(place + 1).join('');
  });
  return [...grown, 'a'.repeat(length), '0'.repeat(length)];
}

const strangers: readonly { name: string; says: string; text: string }[] = [
  { name: 'space', says: 'a space', text: ' ' },
  { name: 'uppercase', says: 'a capital letter', text: 'Q' },
  { name: 'underscore', says: 'an underscore', text: '_' },
  { name: 'punctuation', says: 'an exclamation mark', text: '!' },
  { name: 'accent', says: 'a letter outside ASCII', text: 'é' },
  { name: 'emoji', says: 'a character outside the Basic Multilingual Plane', text: '😀' },
  { name: 'control', says: 'a control character', text: '\u0001' },
];

/** A character that the pattern forbids, kind by kind, put at the end or in the place of another. */
function mutatePattern(location: SchemaLocation, value: string): Mutation[] {
  if (readText(location.schema, 'pattern') === undefined) return [];
  const characters = [...value];
  const rest = characters.slice(1).join('');
  const start = characters.slice(0, -1).join('');
  const foreign = strangers.map(({ name, says, text }) =>
    breakKeyword(location, 'pattern', {
      rule: `pattern-${name}`,
      says: `contains ${says}, which its pattern forbids`,
      candidates: [value + text, start + text, text + rest],
    }),
  );
  const newline = breakKeyword(location, 'pattern', {
    rule: 'pattern-newline',
    says: 'ends in a line feed, which its pattern forbids',
    candidates: [`${value}\n`, `${start}\n`],
  });
  const other = breakKeyword(location, 'pattern', {
    rule: 'pattern-other',
    says: 'does not match its pattern',
    candidates: [
      ...new Set([...characters.keys()].slice(0, mostPlaces).flatMap((place) => replaceAt(characters, place))),
    ],
  });
  return [...foreign, newline, other];
}

function replaceAt(characters: readonly string[], place: number): string[] {
  return ['~', '0', 'a'].map((text) => characters.with(place, text).join(''));
}

const malformed: Readonly<Record<string, readonly string[]>> = {
  date: ['2026-02-30', '2026-13-01', '02/03/2026'],
  'date-time': ['2026-02-30T10:00:00Z', '2026-01-02 10:00', '2026-01-02'],
  time: ['25:00:00Z', 'noon'],
  duration: ['1 hour', 'PT'],
  email: ['user.example.com', 'user@'],
  hostname: ['-example-.com', 'exa mple.com'],
  ipv4: ['256.0.0.1', '1.2.3'],
  ipv6: ['2001:db8::g', '1.2.3.4'],
  uri: ['not a uri', '/relative'],
  'uri-reference': ['a b', '\\\\'],
  uuid: ['not-a-uuid', '00000000-0000-0000-0000-00000000000g'],
  byte: ['not base64!', 'a'],
  regex: ['(', '[a'],
};

function mutateFormat(location: SchemaLocation, value: string): Mutation[] {
  const format = readText(location.schema, 'format');
  if (format === undefined) return [];
  return [
    breakKeyword(location, 'format', {
      rule: `format-${format}`,
      says: `is no ${format}`,
      candidates: [...(malformed[format] ?? []), `not a ${format}`, `${value}~`, `~${value.slice(1)}`],
    }),
  ];
}
