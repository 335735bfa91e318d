/** What stands where a secret stood. */
export const REDACTED = '<redacted>';

/** Too short to be told from other text. */
const SHORTEST_LEARNT = 4;

/**
 * Texts that must not come into a report, and the means to take them out of whatever a server makes of them: as they are, in
 * other case, percent-encoded, escaped for JSON or HTML, in Base64 or hexadecimal, by themselves or inside of something.
 */
export class Secrets {
  /** The longest first: one may be a part of another. */
  #secrets: readonly Secret[];
  /** Whether a run of characters hides a secret: the same words come in every exchange. */
  readonly #hiding = new Map<string, boolean>();

  constructor(texts: Iterable<string>) {
    this.#secrets = longestFirst([...new Set(texts)].filter((text) => text !== '').map(secretOf));
  }

  /** Adds what only came up during the run, such as a secret that was sent wrong on purpose. */
  learn(text: string): void {
    if (text.length < SHORTEST_LEARNT || this.#secrets.some((known) => known.text === text)) return;
    this.#secrets = longestFirst([...this.#secrets, secretOf(text)]);
    this.#hiding.clear();
  }

  /** The text without any secret. */
  clean(text: string): string {
    const form = formIn(text);
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
    const hides = readingsOf(run).some((read) => this.#foundIn(read).length > 0);
    if (this.#hiding.size < MAX_KNOWN) this.#hiding.set(run, hides);
    return hides;
  }

  /** Most texts hold no character that begins an escape, and to look for a plain text is many times as fast. */
  #foundIn(text: string): Secret[] {
    const form = formIn(text);
    const folded = text.toLowerCase();
    return this.#secrets.filter((secret) =>
      form === 'plain' && secret.isAscii ? folded.includes(secret.folded) : text.search(secret[form]) !== -1,
    );
  }
}

interface Secret {
  readonly text: string;
  /** In lower case. */
  readonly folded: string;
  readonly isAscii: boolean;
  readonly plain: RegExp;
  readonly anyForm: RegExp;
}

function secretOf(text: string): Secret {
  const pattern = (form: (character: string) => string) => new RegExp(Array.from(text, form).join(''), 'giu');
  const isAscii = /^[\u0020-\u007e]*$/.test(text);
  return { text, folded: text.toLowerCase(), isAscii, plain: pattern(literally), anyForm: pattern(anyFormOf) };
}

function longestFirst(secrets: readonly Secret[]): Secret[] {
  return secrets.toSorted((a, b) => b.text.length - a.text.length);
}

function formIn(text: string): 'plain' | 'anyForm' {
  return /%[\da-f]{2}|\\|&(?:#|\w+;)|\+/i.test(text) ? 'anyForm' : 'plain';
}

const MAX_KNOWN = 10_000;
const BASE64_OR_HEX = /[\w+/-]{8,}={0,2}/g;
const LONGEST_FORM = 24;

/** A pattern of one character as it is. */
function literally(character: string): string {
  return String.raw`\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** A pattern of one character in each way in which texts usually write it. */
function anyFormOf(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  const percent = hexOf(Buffer.from(character, 'utf8'), 1).map((byte) => `%(?:25)?${byte}`);
  const unicode = hexOf(Buffer.from(character, 'utf16le').swap16(), 2).map((unit) => String.raw`\\{1,4}u${unit}`);
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

function hexOf(bytes: Buffer, width: number): string[] {
  return bytes.toString('hex').match(new RegExp(`.{${2 * width}}`, 'g')) ?? [];
}

/** What stands before an encoded secret may look like a part of it, so each place in a group of digits may be its begin. */
function readingsOf(run: string): string[] {
  const bytes = [
    ...Array.from({ length: 4 }, (_, from) => Buffer.from(run.slice(from), 'base64')),
    ...Array.from({ length: 2 }, (_, from) => Buffer.from(run.slice(from), 'hex')),
  ];
  return bytes.map((one) => one.toString('utf8'));
}
