import { countKeys, parseText, refuseJson, refuseTwice } from './json-text.ts';
import { setOwn } from './own-properties.ts';

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];
const BLANKS: ReadonlySet<number | undefined> = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** A list or object that is being read, or what was parsed as one. */
type Members = unknown[] | Record<string, unknown>;

export interface Pieces {
  /** Where each list and object ends that is read in pieces, by where it begins, as far as brackets say. */
  ends: ReadonlyMap<number, number>;
  /** Whether a key has escape sequences. */
  escapesKeys: boolean;
  /** After how many bytes a piece ends that is parsed. */
  parsed: number;
  /** After how many bytes something else is done, whatever is in them: a text may be as long as the body. */
  looked: number;
}

/**
 * Reads JSON whose lists and objects are too large to be parsed at once: what they hold is, many members at a time, and put together.
 * What is JSON is left to `JSON.parse`; what this looks for itself are commas between members, and blanks around large ones.
 *
 * It yields after each piece, and within long ones, to have something else done, and throws a ContractError of kind `body`.
 */
export class JsonPieces {
  readonly #bytes: Buffer;
  readonly #pieces: Pieces;
  #keys = 0;

  /** @param bytes - Well-formed UTF-8. */
  constructor(bytes: Buffer, pieces: Pieces) {
    this.#bytes = bytes;
    this.#pieces = pieces;
  }

  /** How many keys all objects have that were read so far. */
  get keys(): number {
    return this.#keys;
  }

  /** The value that the bytes are. */
  *read(): Generator<void, unknown, void> {
    // Read as a list without brackets, which must have one member.
    const values = yield* this.#readMembers(0, this.#bytes.length, true);
    if (!Array.isArray(values) || values.length !== 1) throw refuseJson();
    return values[0];
  }

  *#readMembers(start: number, end: number, isList: boolean): Generator<void, Members, void> {
    const bytes = this.#bytes;
    let members: Members | undefined;
    let depth = 0;
    /** Where the piece begins, and the member. */
    let piece = start;
    let member = start;
    let isInText = false;
    let pauseAt = start + this.#pieces.looked;
    for (let at = start; at < end; at += 1) {
      if (at >= pauseAt) {
        pauseAt = at + this.#pieces.looked;
        yield;
      }
      const byte = bytes[at];
      if (isInText || byte === QUOTE) {
        at = skipText(bytes, isInText ? at : at + 1, pauseAt);
        isInText = at >= pauseAt || at >= bytes.length;
        if (isInText) at -= 1;
      } else if (byte === LIST_END || byte === OBJECT_END) depth -= 1;
      else if (byte === COMMA && depth === 0) {
        member = at + 1;
        if (at - piece < this.#pieces.parsed) continue;
        members = this.#add(members, this.#parse(piece, at, isList));
        piece = member;
        yield;
      } else if (byte === LIST || byte === OBJECT) {
        const endOfLarge = this.#pieces.ends.get(at);
        if (endOfLarge === undefined) {
          depth += 1;
          continue;
        }
        if (piece < member) members = this.#add(members, this.#parse(piece, member - 1, isList));
        const value = yield* this.#readLarge(at, endOfLarge);
        members = this.#addLarge(members ?? (isList ? [] : {}), member, at, value);
        at = this.#findComma(endOfLarge + 1, end);
        piece = at + 1;
        member = piece;
      }
    }
    // Behind a large one that was the last there is no other.
    if (piece > end) return members ?? [];
    const last = this.#parse(piece, end, isList);
    return members === undefined ? this.#count(last) : this.#add(members, last);
  }

  #readLarge(start: number, end: number): Generator<void, Members, void> {
    const isList = this.#bytes[start] === LIST;
    if (this.#bytes[end] !== (isList ? LIST_END : OBJECT_END)) throw refuseJson();
    return this.#readMembers(start + 1, end, isList);
  }

  /** After a large member: a comma, or the end. */
  #findComma(from: number, end: number): number {
    const at = this.#skipBlanks(from);
    if (at < end && this.#bytes[at] !== COMMA) throw refuseJson();
    return Math.min(at, end);
  }

  #skipBlanks(from: number): number {
    let at = from;
    while (BLANKS.has(this.#bytes[at])) at += 1;
    return at;
  }

  #parse(from: number, to: number, isList: boolean): Members {
    const text = this.#bytes.toString('utf8', from, to);
    return parseText(isList ? `[${text}]` : `{${text}}`, this.#pieces.escapesKeys) as Members;
  }

  /** A comma is before or behind these, so there must be some. */
  #add(members: Members | undefined, more: Members): Members {
    if (isEmpty(more)) throw refuseJson();
    this.#count(more);
    if (members === undefined) return more;
    if (Array.isArray(members)) members.push(...(more as unknown[]));
    else for (const [key, value] of Object.entries(more)) put(members, key, value);
    return members;
  }

  #addLarge(members: Members, from: number, start: number, value: unknown): Members {
    if (Array.isArray(members)) {
      if (this.#skipBlanks(from) !== start) throw refuseJson();
      members.push(value);
      return members;
    }
    const stub = parseText(`{${this.#bytes.toString('utf8', from, start)}null}`, this.#pieces.escapesKeys) as Members;
    const [key = ''] = Object.keys(this.#count(stub));
    put(members, key, value);
    return members;
  }

  #count<Counted extends Members>(members: Counted): Counted {
    this.#keys += countKeys(members);
    return members;
  }
}

/**
 * @param from - Where a text goes on.
 * @param to - How far it is read at most, or one byte more, which is escaped.
 * @returns Where the text ends; `to` or more, or past the end of the bytes, where it has not ended before.
 */
function skipText(bytes: Buffer, from: number, to: number): number {
  const end = Math.min(bytes.length, to);
  let at = from;
  for (; at < end && bytes[at] !== QUOTE; at += 1) if (bytes[at] === BACKSLASH) at += 1;
  return at;
}

function isEmpty(members: Members): boolean {
  if (Array.isArray(members)) return members.length === 0;
  for (const _ in members) return false;
  return true;
}

/** @throws ContractError where it has that key. */
function put(members: Record<string, unknown>, key: string, value: unknown): void {
  if (Object.hasOwn(members, key)) throw refuseTwice();
  setOwn(members, key, value);
}
