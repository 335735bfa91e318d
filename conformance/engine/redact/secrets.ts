/** What stands where a secret stood. */
export const REDACTED = '<redacted>';

/** Shorter ones can't be told apart from other text. */
const SHORTEST_LEARNT = 4;
/** Shorter ones may be a part of a common word, and are only found as a word of their own. */
const SHORTEST_ANYWHERE = 8;

/**
 * Texts that must not come into a report, and the means to take them out of whatever a server makes of them: as they are, in
 * other case, percent-encoded, escaped for JSON or HTML, in Base64 or hexadecimal, by themselves or inside of something.
 */
export class Secrets {
  /** The longest first: one may be a part of another. */
  #secrets: readonly Secret[];
  /** Whether a run of characters hides a secret; the same words occur in every exchange. */
  readonly #hiding = new Map<string, boolean>();

  constructor(texts: Iterable<string>) {
    this.#secrets = longestFirst([...new Set(texts)].filter((text) => text !== '').map((text) => toSecret(text)));
  }

  /** Adds a text that is only known during the run, such as a deliberately wrong secret. */
  learn(text: string): void {
    if (text.length < SHORTEST_LEARNT || this.#secrets.some((known) => known.text === text)) return;
    this.#secrets = longestFirst([...this.#secrets, toSecret(text)]);
    this.#hiding.clear();
  }

  /** The text without any secret. */
  clean(text: string): string {
    const form = chooseForm(text);
    const found = this.#foundIn(text);
    const open = found.reduce((left, secret) => left.replaceAll(secret[form], REDACTED), text);
    return open.replaceAll(BASE64_OR_HEX, (run) => (this.#hides(run) ? REDACTED : run));
  }

  /** More characters than any form of a secret that stands in a text has. */
  get reach(): number {
    return LONGEST_FORM * (this.#secrets[0]?.text.length ?? 0);
  }

  #hides(run: string): boolean {
    const known = this.#hiding.get(run);
    if (known !== undefined) return known;
    const hides = decodeFromAnyStart(run).some((read) => this.#foundIn(read).length > 0);
    if (this.#hiding.size < MAX_KNOWN) this.#hiding.set(run, hides);
    return hides;
  }

  /** Most texts hold no escapes, and searching for plain text is many times as fast. */
  #foundIn(text: string): Secret[] {
    const form = chooseForm(text);
    const folded = text.toLowerCase();
    return this.#secrets.filter((secret) =>
      form === 'plain' && secret.isAscii && !secret.isWord
        ? folded.includes(secret.folded)
        : text.search(secret[form]) !== -1,
    );
  }
}

interface Secret {
  readonly text: string;
  /** In lower case. */
  readonly folded: string;
  readonly isAscii: boolean;
  /** Only as a word of its own: `with` is not found in `without`. */
  readonly isWord: boolean;
  readonly plain: RegExp;
  readonly anyForm: RegExp;
}

/** No letter or digit before it, but one that ends an escape. */
const WORD_BEGINS = String.raw`(?:(?<![\p{L}\p{N}])|(?<=%[\da-f]{2}|\\[bfnrt]|\\u[\da-f]{4}))`;
const WORD_ENDS = String.raw`(?![\p{L}\p{N}])`;

function toSecret(text: string): Secret {
  const isWord = text.length < SHORTEST_ANYWHERE;
  const before = isWord && /^[\p{L}\p{N}]/u.test(text) ? WORD_BEGINS : '';
  const after = isWord && /[\p{L}\p{N}]$/u.test(text) ? WORD_ENDS : '';
  const pattern = (form: (character: string) => string) =>
    new RegExp(before + Array.from(text, form).join('') + after, 'giu');
  const isAscii = /^[\u0020-\u007e]*$/.test(text);
  return {
    text,
    folded: text.toLowerCase(),
    isAscii,
    isWord,
    plain: pattern(matchLiterally),
    anyForm: pattern(matchAnyForm),
  };
}

function longestFirst(secrets: readonly Secret[]): Secret[] {
  return secrets.toSorted((a, b) => b.text.length - a.text.length);
}

function chooseForm(text: string): 'plain' | 'anyForm' {
  return /%[\da-f]{2}|\\|&(?:#|\w+;)|\+/i.test(text) ? 'anyForm' : 'plain';
}

const MAX_KNOWN = 10_000;
const BASE64_OR_HEX = /[\w+/-]{8,}={0,2}/g;
const LONGEST_FORM = 24;

/** A pattern that matches one character literally. */
function matchLiterally(character: string): string {
  return String.raw`\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** A pattern of one character in each way in which texts usually write it. */
function matchAnyForm(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  const percent = splitHex(Buffer.from(character, 'utf8'), 1).map((byte) => `%(?:25)?${byte}`);
  const unicode = splitHex(Buffer.from(character, 'utf16le').swap16(), 2).map((unit) => String.raw`\\{1,4}u${unit}`);
  const forms = [
    String.raw`\\{0,4}\u{${point.toString(16)}}`,
    percent.join(''),
    unicode.join(''),
    `&#0{0,4}${point};`,
    `&#x0{0,4}${point.toString(16)};`,
    ...(NAMED[character] ?? []),
  ];
  return `(?:${forms.join('|')})`;
}

const NAMED: Readonly<Record<string, readonly string[]>> = {
  '&': ['&amp;'],
  '<': ['&lt;'],
  '>': ['&gt;'],
  '"': ['&quot;'],
  "'": ['&apos;'],
  ' ': [String.raw`\+`],
};

function splitHex(bytes: Buffer, width: number): string[] {
  return bytes.toString('hex').match(new RegExp(`.{${2 * width}}`, 'g')) ?? [];
}

/** Digits before an encoded secret may look like a part of it, so it is decoded from each place in a group of digits. */
function decodeFromAnyStart(run: string): string[] {
  const bytes = [
    ...Array.from({ length: 4 }, (_, from) => Buffer.from(run.slice(from), 'base64')),
    ...Array.from({ length: 2 }, (_, from) => Buffer.from(run.slice(from), 'hex')),
  ];
  return bytes.map((one) => one.toString('utf8'));
}
