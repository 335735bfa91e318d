import { isJsonObject, type Json } from '../json.ts';

/** How a form is written. Fields that are not named travel as text, lists of them as one field for each item. */
export interface FormPlan {
  kind: 'urlencoded' | 'multipart';
  fields: Record<string, FormField>;
}

/** A field that is more than text. */
export interface FormField {
  /** `deepObject`: `owner[name]=x&owner[tags][0]=y`. */
  as?: 'file' | 'json' | 'deepObject';
  /** Of a file. */
  contentType?: string;
  filename?: string;
  /** Of a list that is one text: what stands between its items. */
  separator?: string;
}

/** A form as it travels, and as the server reads it before it converts types. */
export interface WrittenForm {
  text: string;
  read: Json;
}

const BOUNDARY = 'branchline-boundary';

/** The `Content-Type` of a form. */
export function nameFormType({ kind }: FormPlan): string {
  return kind === 'multipart' ? `multipart/form-data; boundary=${BOUNDARY}` : 'application/x-www-form-urlencoded';
}

/**
 * Writes a form down. `undefined` where a value cannot travel as itself: what is no object, `null`, a separator inside a list, and a form
 * without any field, which is no body. An empty list travels as nothing.
 */
export function writeForm(plan: FormPlan, value: Json): WrittenForm | undefined {
  if (!isJsonObject(value)) return undefined;
  const written = Object.entries(value).map(([name, field]) => ({
    name,
    ...writeField(name, field, plan.fields[name]),
  }));
  if (written.some(({ pairs }) => pairs === undefined)) return undefined;
  const present = written.filter(({ pairs = [] }) => pairs.length > 0);
  const pairs = present.flatMap((field) => field.pairs ?? []);
  if (pairs.length === 0) return undefined;
  return {
    text: plan.kind === 'multipart' ? writeParts(pairs, plan) : new URLSearchParams(pairs.map(toPair)).toString(),
    read: Object.fromEntries(present.map(({ name, read = null }) => [name, read])),
  };
}

interface Written {
  /** Left out where it can't be written. */
  readonly pairs?: readonly Pair[];
  readonly read?: Json;
}

interface Pair {
  readonly name: string;
  readonly text: string;
  /** Of the field, where the name holds more. */
  readonly field: string;
}

function toPair({ name, text }: Pair): [string, string] {
  return [name, text];
}

function writeField(field: string, value: Json, plan: FormField | undefined): Written {
  if (plan?.as === 'deepObject') return writeDeepField(field, value);
  const texts = [value].flat().map((item) => toText(item, plan));
  if (!texts.every((text) => text !== undefined)) return {};
  const pairs = texts.map((text) => ({ name: field, text, field }));
  const items = [value].flat().map((item, index) => (plan?.as === 'json' ? item : (texts[index] ?? null)));
  if (!Array.isArray(value)) return { pairs, read: items[0] ?? null };
  if (plan?.separator === undefined || texts.length === 0) return { pairs, read: items };
  if (texts.some((text) => text === '' || text.includes(plan.separator ?? ''))) return {};
  return { pairs: [{ name: field, text: texts.join(plan.separator), field }], read: items };
}

/** A plain value would be another field, and what holds nothing inside it travels as nothing. */
function writeDeepField(field: string, value: Json): Written {
  if (typeof value !== 'object' || value === null) return {};
  const pairs = Object.entries(value).flatMap(([name, member]) => writeDeep(field, `${field}[${name}]`, member));
  return pairs.every((pair) => pair !== undefined) ? { pairs, read: readDeep(value) } : {};
}

function writeDeep(field: string, name: string, value: Json): (Pair | undefined)[] {
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value);
    if (members.length === 0) return [undefined];
    return members.flatMap(([member, one]) => writeDeep(field, `${name}[${member}]`, one));
  }
  const text = toText(value);
  return [text === undefined ? undefined : { name, text, field }];
}

/** A whole number beyond 2^53 has been rounded: its text may be none that its schema allows. */
function toText(value: Json, plan?: FormField): string | undefined {
  if (plan?.as !== 'json' && (value === null || (Number.isInteger(value) && !Number.isSafeInteger(value))))
    return undefined;
  return typeof value === 'string' && plan?.as !== 'json' ? value : JSON.stringify(value);
}

function readDeep(value: Json): Json {
  if (Array.isArray(value)) return value.map(readDeep);
  if (!isJsonObject(value)) return toText(value) ?? null;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, readDeep(member)]));
}

function writeParts(pairs: readonly Pair[], { fields }: FormPlan): string {
  const parts = pairs.map(({ name, text, field }) => {
    const lines = [`content-disposition: form-data; name=${quote(name)}${nameFile(fields[field])}`];
    const contentType = fields[field]?.as === 'json' ? 'application/json' : fields[field]?.contentType;
    if (contentType !== undefined) lines.push(`content-type: ${contentType}`);
    return `--${BOUNDARY}\r\n${lines.join('\r\n')}\r\n\r\n${text}\r\n`;
  });
  return `${parts.join('')}--${BOUNDARY}--\r\n`;
}

function nameFile(field: FormField | undefined): string {
  return field?.as === 'file' ? `; filename=${quote(field.filename ?? 'file')}` : '';
}

/** As browsers write it (WHATWG HTML, multipart/form-data). */
function quote(name: string): string {
  return `"${name.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22')}"`;
}
