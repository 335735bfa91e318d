import { type Kind, correct } from '../service/behaviour.ts';
import { type Fault, onFields, onReply } from '../fault.ts';

const sentence = (name: string, does: string, write: (suggestion: string) => unknown): Fault => ({
  name,
  does,
  breaks: ['BRANCH-CREATE-400-4'],
  change: () => onFields('invalid', ({ error }) => ({ error: write(/"(.*)"/.exec(String(error))?.[1] ?? '') })),
});

const suggests = (name: string, does: string, suggest: (asked: string) => string): Fault => ({
  name: `suggests-${name}`,
  does: `proposes ${does}`,
  breaks: ['BRANCH-CREATE-400-4'],
  change: () => ({ suggest }),
});

const ERRORS: readonly Kind[] = ['invalid', 'conflict', 'unauthorized'];

/** Another form of the body of errors. */
const form = (kind: Kind, name: string, does: string, change: Parameters<typeof onReply>[1]): Fault => ({
  name: `${kind}-${name}`,
  does: `${does} (${kind})`,
  breaks: ['ERROR-BODY-1'],
  change: () => onReply(kind, change),
});

/** Of the answer to an invalid name, and of the form that all errors have. */
export const suggestions: readonly Fault[] = [
  ...ERRORS.flatMap((kind) => [
    form(kind, 'with-code', 'answers an error with a field "code" too', ({ body }) => ({
      body: { ...Object(body), code: 4_711 },
    })),
    form(kind, 'with-details', 'answers an error with an empty list of details too', ({ body }) => ({
      body: { ...Object(body), details: [] },
    })),
    form(kind, 'byte-order-mark', 'begins the JSON of an error with a byte order mark', ({ body }) => ({
      body: `\u{FEFF}${JSON.stringify(body)}`,
    })),
    form(kind, 'untyped', 'names no media type for an error', () => ({ headers: {} })),
    form(kind, 'typed-as-text', 'calls the JSON of an error text', () => ({
      headers: { 'content-type': 'text/plain' },
    })),
    form(kind, 'typed-as-html', 'calls the JSON of an error HTML', () => ({
      headers: { 'content-type': 'text/html' },
    })),
  ]),
  sentence('invalid-no-proposal', 'proposes no name', () => 'Invalid branch name'),
  sentence(
    'invalid-single-quotes',
    'puts the proposal in single quotes',
    (s) => `Invalid branch name, try '${s}' instead`,
  ),
  sentence(
    'invalid-full-stop',
    'ends the sentence with a full stop',
    (s) => `Invalid branch name, try "${s}" instead.`,
  ),
  sentence('invalid-capitals', 'writes Branch with a capital', (s) => `Invalid Branch name, try "${s}" instead`),
  sentence(
    'invalid-placeholder',
    'leaves the placeholder in',
    () => 'Invalid branch name, try "<suggested_name>" instead',
  ),
  sentence(
    'invalid-curly-quotes',
    'puts the proposal in curly quotes',
    (s) => `Invalid branch name, try “${s}” instead`,
  ),
  sentence(
    'invalid-html-quotes',
    'escapes the quotes for HTML',
    (s) => `Invalid branch name, try &quot;${s}&quot; instead`,
  ),
  sentence(
    'invalid-quotes-escaped-twice',
    'escapes the quotes twice',
    (s) => String.raw`Invalid branch name, try \"${s}\" instead`,
  ),
  sentence('invalid-no-quotes', 'writes the proposal without quotes', (s) => `Invalid branch name, try ${s} instead`),
  sentence('invalid-no-comma', 'leaves the comma out', (s) => `Invalid branch name try "${s}" instead`),
  sentence('invalid-lower-case', 'begins with a small letter', (s) => `invalid branch name, try "${s}" instead`),
  sentence('invalid-two-proposals', 'proposes two names', (s) => `Invalid branch name, try "${s}" or "${s}-2" instead`),
  sentence(
    'invalid-says-more',
    'says more after the sentence',
    (s) => `Invalid branch name, try "${s}" instead: only kebab case`,
  ),
  {
    name: 'empty-other-sentence',
    does: 'says of an empty name that it is required',
    breaks: ['BRANCH-CREATE-400-2'],
    change: () => ({
      reply: (reply, call) =>
        reply.kind === 'invalid' && correct.nameIn(call.body) === ''
          ? { ...reply, body: { error: 'Branch name is required' } }
          : reply,
    }),
  },
  {
    name: 'invalid-message-field',
    does: 'calls the field of the sentence "message"',
    breaks: ['ERROR-BODY-1'],
    change: () => onFields('invalid', ({ error }) => ({ message: error, error: undefined })),
  },
  {
    name: 'invalid-as-text',
    does: 'answers an invalid name with bare text',
    breaks: ['ERROR-BODY-1'],
    change: () =>
      onReply('invalid', ({ body }) => ({
        headers: { 'content-type': 'text/plain' },
        body: String(Object(body).error),
      })),
  },
  suggests('empty', 'an empty name', () => ''),
  suggests('what-was-asked', 'the very name that it refuses', (asked) => asked),
  suggests('upper-case', 'a name in upper case', () => 'MY-BRANCH'),
  suggests(
    'underscores',
    'a name with underscores',
    (asked) => `${asked.toLowerCase().replaceAll(/[^a-z0-9]/g, '_')}_`,
  ),
  suggests('spaces', 'a name with a space', () => 'my branch'),
  suggests('emptiness-for-punctuation', 'an empty name where nothing is left', (asked) =>
    asked
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, ''),
  ),
  suggests(
    'all-but-emoji',
    'a name with the emoji that it refuses',
    (asked) => asked.toLowerCase().replaceAll(/[^a-z0-9\p{Extended_Pictographic}]+/gu, '-') || 'x',
  ),
  suggests('umlauts', 'a name with letters that it refuses', () => 'äste'),
];
