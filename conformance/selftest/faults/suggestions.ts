import { correct } from '../service/behaviour.ts';
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

/** Of the answer to an invalid name. */
export const suggestions: readonly Fault[] = [
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
  sentence('invalid-error-object', 'gives the error as an object', (s) => ({
    message: `Invalid branch name, try "${s}" instead`,
  })),
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
  {
    name: 'suggests-taken',
    does: 'proposes a name that is taken',
    breaks: ['BRANCH-CREATE-400-4'],
    change: () => ({
      suggest: (_asked, call) => correct.exported(call).find(({ status }) => status === 'Draft')?.name ?? 'x',
    }),
  },
];
