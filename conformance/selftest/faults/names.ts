import { listBranches, correct, kept } from '../service/behaviour.ts';
import { type Fault, onReply } from '../fault.ts';

const accepts = (name: string, does: string, accepted: (asked: string) => boolean): Fault => ({
  name: `accepts-${name}`,
  does: `creates a branch with ${does}`,
  breaks: name === 'empty' ? ['BRANCH-CREATE-400-2', 'NAME-2'] : ['BRANCH-CREATE-400-1', 'NAME-1'],
  change: () => ({ isValidName: (asked) => correct.isValidName(asked) || accepted(asked) }),
});

/** Takes what `read` makes of the value of `name` for the name. */
const converts = (name: string, does: string, read: (value: unknown) => unknown): Fault => ({
  name,
  does,
  breaks: ['BRANCH-CREATE-400-3'],
  change: () => ({
    nameIn: (body) => {
      const usual = correct.nameIn(body);
      if (usual !== undefined) return usual;
      const converted = read(parse(body));
      return typeof converted === 'string' ? converted : undefined;
    },
  }),
});

/** Mends the text of a body that the correct service calls malformed. */
const reads = (name: string, does: string, mend: (text: string) => string): Fault => ({
  name: `reads-${name}`,
  does,
  breaks: ['BRANCH-CREATE-400-3'],
  change: () => ({
    nameIn: (body) => {
      const usual = correct.nameIn(body);
      const isMalformed = usual === undefined || usual.includes('\uFFFD');
      return isMalformed ? correct.nameIn(Buffer.from(mend(body.toString()))) : usual;
    },
  }),
});

/** What of a body that the correct service calls malformed is answered by `status`. */
const malformed = (name: string, does: string, status: number, which: (body: string) => boolean): Fault => ({
  name,
  does,
  breaks: ['BRANCH-CREATE-400-3'],
  change: () => ({
    reply: (reply, call) =>
      reply.kind === 'invalid' && correct.nameIn(call.body) === undefined && which(call.body.toString())
        ? { ...reply, status, body: { error: 'Something is wrong with the body' } }
        : reply,
  }),
});

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

const readName = (value: unknown): unknown => Object(value).name;

/** Of what is refused as a name. */
export const names: readonly Fault[] = [
  accepts('upper-case', 'capital letters', (asked) => /^[A-Za-z0-9-]+$/.test(asked)),
  accepts('underscore', 'an underscore', (asked) => /^[a-z0-9_-]+$/.test(asked)),
  accepts('dot', 'a dot', (asked) => /^[a-z0-9.-]+$/.test(asked)),
  accepts('slash', 'a slash', (asked) => /^[a-z0-9/-]+$/.test(asked)),
  accepts('space', 'a space inside', (asked) => /^[a-z0-9 -]+$/.test(asked)),
  accepts('unicode-letters', 'lower-case letters of any script', (asked) => /^[\p{Ll}\d-]+$/u.test(asked)),
  accepts('letters-by-case', 'characters whose other case is a letter', (asked) =>
    /^[a-z0-9\u{212A}\u{17F}-]+$/u.test(asked),
  ),
  accepts('unicode-digits', 'digits of any script', (asked) => /^[a-z\p{Nd}-]+$/u.test(asked)),
  accepts('emoji', 'an emoji', (asked) => /^[a-z0-9\p{Extended_Pictographic}-]+$/u.test(asked)),
  accepts('empty', 'an empty name', (asked) => asked === ''),
  accepts('newline-at-the-end', 'a line feed after the name', (asked) => /^[a-z0-9-]+\n$/.test(asked)),
  accepts('valid-beginning', 'a name that only begins well', (asked) => /^[a-z0-9-]/.test(asked)),
  accepts('anything', 'any name that is not empty', (asked) => asked !== ''),
  {
    name: 'name-trimmed',
    does: 'creates " name " as "name"',
    breaks: ['BRANCH-CREATE-400-1'],
    change: () => ({ nameIn: (body) => correct.nameIn(body)?.trim() }),
  },
  {
    name: 'name-lowercased',
    does: 'creates "Name" as "name"',
    breaks: ['BRANCH-CREATE-400-1'],
    change: () => ({ nameIn: (body) => correct.nameIn(body)?.toLowerCase() }),
  },
  {
    name: 'name-slugified',
    does: 'creates the name that it should only propose',
    breaks: ['BRANCH-CREATE-400-1'],
    change: () => ({
      nameIn: (body) => {
        const name = correct.nameIn(body);
        return name === undefined || name === '' ? name : name.toLowerCase().replaceAll(/[^a-z0-9-]+/g, '-');
      },
    }),
  },
  {
    name: 'refuses-digits',
    does: 'refuses names with digits',
    breaks: ['NAME-1'],
    change: () => ({ isValidName: (asked) => /^[a-z-]+$/.test(asked) }),
  },
  {
    name: 'refuses-hyphens',
    does: 'refuses names with hyphens',
    breaks: ['NAME-1'],
    change: () => ({ isValidName: (asked) => /^[a-z0-9]+$/.test(asked) }),
  },
  {
    name: 'refuses-leading-digit',
    does: 'refuses names that begin with a digit',
    breaks: ['NAME-1'],
    change: () => ({ isValidName: (asked) => /^[a-z][a-z0-9-]*$/.test(asked) }),
  },
  {
    name: 'refuses-short-names',
    does: 'refuses names of fewer than three characters',
    breaks: ['NAME-1'],
    change: () => ({ isValidName: (asked) => /^[a-z0-9-]{3,}$/.test(asked) }),
  },
  {
    name: 'refuses-digits-only',
    does: 'refuses names without a letter',
    breaks: ['NAME-1'],
    change: () => ({ isValidName: (asked) => correct.isValidName(asked) && /[a-z]/.test(asked) }),
  },
  {
    name: 'refuses-single-words',
    does: 'refuses names without a hyphen',
    breaks: ['NAME-1'],
    change: () => ({ isValidName: (asked) => correct.isValidName(asked) && asked.includes('-') }),
  },
  {
    name: 'holds-what-it-refused',
    does: 'holds a name that it has refused in another spelling',
    breaks: ['BRANCH-CREATE-400-1'],
    change: () => {
      const refused = new Set<string>();
      return {
        suggest: (asked, call) => {
          refused.add(asked.trim());
          return correct.suggest(asked, call);
        },
        rivals: (name, call) => (refused.has(name) ? listBranches(call) : correct.rivals(name, call)),
      };
    },
  },
  {
    name: 'body-by-pattern',
    does: 'looks for the name in the body as text',
    breaks: ['BRANCH-CREATE-REQUEST-3'],
    change: () => ({ nameIn: (body) => /"name":"([^"]*)"/.exec(body.toString())?.[1] }),
  },
  {
    name: 'escapes-not-read',
    does: 'does not read escapes in JSON',
    breaks: ['BRANCH-CREATE-REQUEST-3'],
    change: () => ({
      nameIn: (body) => correct.nameIn(Buffer.from(body.toString().replaceAll('\\u', String.raw`\\u`))),
    }),
  },
  {
    name: 'requires-more-fields',
    does: 'refuses a body without a description',
    breaks: ['BRANCH-CREATE-REQUEST-3', 'BRANCH-CREATE-201-1'],
    change: () => ({ nameIn: (body) => (body.includes('description') ? correct.nameIn(body) : undefined) }),
  },
  {
    name: 'requires-a-form',
    does: 'takes a form instead of JSON',
    breaks: ['BRANCH-CREATE-REQUEST-3', 'BRANCH-CREATE-201-1'],
    change: () => ({ nameIn: (body) => new URLSearchParams(body.toString()).get('name') ?? undefined }),
  },
  converts('converts-numbers', 'takes a number for its digits', (value) =>
    typeof readName(value) === 'number' ? String(readName(value)) : undefined,
  ),
  converts('converts-booleans', 'takes true for "true"', (value) =>
    typeof readName(value) === 'boolean' ? String(readName(value)) : undefined,
  ),
  converts('converts-null', 'takes null for "null"', (value) => (readName(value) === null ? 'null' : undefined)),
  converts('converts-arrays', 'takes the only item of an array', (value) =>
    Array.isArray(readName(value)) ? String(readName(value)) : undefined,
  ),
  converts('default-name', 'makes up a name where none is given', (value) =>
    readName(value) === undefined && Object(value) === value
      ? `branch-${Date.now()}-${Math.random().toString(36).slice(2)}`
      : undefined,
  ),
  converts('bare-string', 'takes a bare string for the name', (value) => value),
  converts('nested-name', 'takes the name out of an object in its place', (value) => readName(readName(value))),
  converts('array-of-names', 'takes the name of the first object of an array', (value) =>
    Array.isArray(value) ? readName(value[0]) : undefined,
  ),
  reads('what-follows-ignored', 'ignores what follows the JSON', (text) => text.replace(/\}[^}]*$/, '}')),
  reads('trailing-comma', 'takes JSON with a comma too many', (text) => text.replace(',}', '}')),
  reads('single-quotes', 'takes JSON with single quotes', (text) => text.replaceAll("'", '"')),
  reads('bare-keys', 'takes JSON with keys that have no quotes', (text) => text.replace('{name', '{"name"')),
  reads('bytes-dropped', 'drops bytes that are no UTF-8', (text) => text.replaceAll('\uFFFD', '')),
  reads('unknown-escapes', 'takes JSON with escapes that it does not have', (text) =>
    text.replaceAll(/\\(?=[^"\\/bfnrtu])/g, ''),
  ),
  reads('controls', 'takes JSON with control characters in strings', (text) => text.replaceAll(/\p{Cc}/gu, '')),
  reads('not-a-number', 'takes NaN for a value', (text) => text.replaceAll(/:\s*NaN\b/g, ':0')),
  reads('leading-zeros', 'takes JSON with zeros before a number', (text) => text.replaceAll(/:0+(?=\d)/g, ':')),
  reads('any-white-space', 'takes JSON with white space of any kind', (text) => text.trim().replace(/^\{\s+/, '{')),
  malformed('malformed-500', 'answers JSON that breaks off with 500', 500, (body) => body !== '' && !isJson(body)),
  malformed('no-body-500', 'answers an empty body with 500', 500, (body) => body === ''),
  malformed('name-missing-422', 'answers a body without a name with 422', 422, isJson),
  malformed('null-body-500', 'answers the body null with 500', 500, (body) => body.trim() === 'null'),
  malformed('malformed-other-sentence', 'answers a malformed body with another sentence', 400, () => true),
  {
    name: 'invalid-422',
    does: 'answers an invalid name with 422',
    breaks: ['BRANCH-CREATE-400-1'],
    change: () => onReply('invalid', () => ({ status: 422 })),
  },
  {
    name: 'invalid-409',
    does: 'answers an invalid name with 409',
    breaks: ['BRANCH-CREATE-400-1'],
    change: () => onReply('invalid', () => ({ status: 409 })),
  },
  {
    name: 'invalid-200',
    does: 'answers an invalid name with 200 and an error',
    breaks: ['BRANCH-CREATE-400-1'],
    change: () => onReply('invalid', () => ({ status: 200 })),
  },
  {
    name: 'invalid-created-all-the-same',
    does: 'answers 400 and creates the branch under its proposal',
    breaks: ['BRANCH-CREATE-400-1'],
    change: () => ({
      reply: (reply, call) => {
        const name = correct.nameIn(call.body);
        const [account] = call.world.accounts;
        if (reply.kind === 'invalid' && name !== undefined && account !== undefined) {
          kept(correct.newBranch(name, account), call);
        }
        return reply;
      },
    }),
  },
];

function isJson(body: string): boolean {
  return parse(Buffer.from(body)) !== undefined;
}
