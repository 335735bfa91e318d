import type { ServiceCase } from '../case.ts';
import { checkInvalidName } from '../documented.ts';

/** More than a recursive reader may have room for, in few bytes. */
const DEPTH = 1_000;

/** A valid name beside a value that is no JSON. */
const besides = (value: string, free: string): string => `{"other":${value},"name":"${free}"}`;

/** Bodies that are no JSON, or have no name; `free` is a valid, free name. */
const MALFORMED: readonly [id: string, title: string, of: (free: string) => string | Uint8Array][] = [
  ['empty', 'no body at all', () => ''],
  ['text', 'bare words', (free) => `name=${free}`],
  ['bare-name', 'the bare name', (free) => free],
  ['truncated', 'JSON that breaks off', (free) => `{"name":"${free}"`],
  ['trailing', 'something after the JSON', (free) => `{"name":"${free}"} and more`],
  ['trailing-comma', 'a comma too many', (free) => `{"name":"${free}",}`],
  ['single-quotes', 'single quotes', (free) => `{'name':'${free}'}`],
  ['bare-key', 'a key without quotes', (free) => `{name:"${free}"}`],
  ['line-feed-in-string', 'a line feed within a JSON string', (free) => `{"name":"${free}\n"}`],
  ['comment', 'a comment', (free) => `{/* new */"name":"${free}"}`],
  ['xml', 'XML', (free) => `<name>${free}</name>`],
  ['null', 'null instead of an object', () => 'null'],
  ['number', 'a number instead of an object', () => '42'],
  ['boolean', 'true instead of an object', () => 'true'],
  ['string', 'a string instead of an object', (free) => JSON.stringify(free)],
  ['string-of-object', 'a string that holds the object', (free) => JSON.stringify(JSON.stringify({ name: free }))],
  ['array', 'an array instead of an object', (free) => JSON.stringify([{ name: free }])],
  ['array-of-name', 'an array that holds the name', (free) => JSON.stringify([free])],
  ['no-name', 'an object without "name"', () => '{}'],
  ['other-field', 'the name under another field', (free) => JSON.stringify({ branchName: free })],
  ['field-in-other-case', 'the name under "Name"', (free) => JSON.stringify({ Name: free })],
  ['field-in-capitals', 'the name under "NAME"', (free) => JSON.stringify({ NAME: free })],
  ['name-null', 'null as name', () => '{"name":null}'],
  ['name-number', 'a number as name', () => `{"name":${Date.now()}}`],
  ['name-true', 'true as name', () => '{"name":true}'],
  ['name-false', 'false as name', () => '{"name":false}'],
  ['name-array', 'an array as name', (free) => JSON.stringify({ name: [free] })],
  ['name-object', 'an object as name', (free) => JSON.stringify({ name: { name: free } })],
  ['name-empty-array', 'an empty array as name', () => '{"name":[]}'],
  ['name-deep', 'arrays within arrays as name', () => `{"name":${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}}`],
  ['unknown-escape', 'an escape that JSON does not have', (free) => besides(String.raw`"\q"`, free)],
  ['tab-in-string', 'a tab within a JSON string', (free) => besides('"a\tb"', free)],
  ['control-in-string', 'a control character within a JSON string', (free) => besides('"a\u0001b"', free)],
  ['not-a-number', 'NaN as a value', (free) => besides('NaN', free)],
  ['leading-zero', 'a zero before a number', (free) => besides('01', free)],
  ['no-break-space', 'a no-break space between its parts', (free) => `{\u00a0"name":"${free}"}`],
  ['form-feed', 'a form feed between its parts', (free) => `{\f"name":"${free}"}`],
  ['bytes', 'bytes that are no UTF-8', (free) => Buffer.from(`{"name":"${free}\u00ff"}`, 'latin1')],
];

/** How malformed bodies are refused. */
export const malformedBodies: readonly ServiceCase[] = MALFORMED.map(([id, title, of]) => ({
  id: `malformed-bodies/${id}`,
  clauses: ['BRANCH-CREATE-400-3', 'BRANCH-CREATE-400-4', 'ERROR-BODY-1', 'BRANCH-CREATE-REQUEST-3'],
  level: 'required',
  title: `A malformed body, ${title}, is refused with 400, and a name is proposed.`,
  cost: { 'first create': 1 },
  run: async (context) => {
    const answer = await context.create(of(context.name()));
    if (answer.status === 413) context.skip('The body was answered with 413; how large one may be is not shown.');
    context.demand(checkInvalidName(answer).problems);
  },
}));
