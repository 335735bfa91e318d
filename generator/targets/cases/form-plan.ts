import {
  type Contract,
  type FormField,
  type FormPlan,
  isJsonObject,
  type Json,
  type MediaTypeObject,
  withValueAt,
  writeForm,
} from '@branchline/contract';
import { classifyMediaType } from '../../typescript/media-types.ts';
import type { PartPlan } from '@branchline/runtime';
import { planParts } from '../../typescript/multipart.ts';
import { findProperties, findTypes } from '../../typescript/schema-types.ts';
import type { ConfirmedMutation } from './confirmed-mutations.ts';
import type { TextCheck } from './text-check.ts';

const SEPARATORS: Readonly<Record<string, string>> = { form: ',', spaceDelimited: ' ', pipeDelimited: '|' };

/** How a form is written; `undefined` of what is none. */
export function planForm(contract: Contract, type: string, media: MediaTypeObject): FormPlan | undefined {
  const kind = classifyMediaType(type);
  if (kind !== 'form' && kind !== 'multipart') return undefined;
  const parts = kind === 'form' ? listObjects(contract, media) : planParts(contract, media);
  const others = parts.flatMap(({ name, kind: as, contentTypes = [] }): [string, FormField][] => {
    if (as === 'text') return [];
    return [[name, as === 'json' ? { as } : { as, ...describeFile(name, contentTypes) }]];
  });
  const styled = Object.entries(media.encoding ?? {}).flatMap(([name, { style, explode }]): [string, FormField][] => {
    if (style === 'deepObject') return [[name, { as: style }]];
    const separator = SEPARATORS[style ?? 'form'];
    const isOneText = separator !== undefined && (explode ?? (style ?? 'form') === 'form') === false;
    return isOneText ? [[name, { separator }]] : [];
  });
  return { kind: kind === 'form' ? 'urlencoded' : kind, fields: Object.fromEntries([...others, ...styled]) };
}

/** Without a style of their own they travel as JSON. */
function listObjects(
  contract: Contract,
  { schema }: MediaTypeObject,
): Pick<PartPlan, 'name' | 'kind' | 'contentTypes'>[] {
  return Object.entries(findProperties(contract, schema)).flatMap(([name, property]) => {
    const types = findTypes(contract, property);
    types.delete('null');
    return types.size === 1 && types.has('object') ? [{ name, kind: 'json' }] : [];
  });
}

/** A file as a client sends it: with a name, and of the first type that the contract names. */
function describeFile(
  field: string,
  contentTypes: readonly string[],
): Required<Pick<FormField, 'contentType' | 'filename'>> {
  const [written = 'application/octet-stream'] = contentTypes;
  const contentType = WHOLE[written] ?? written;
  const ending = /\/(?:\w+\+)?([a-z0-9]{2,4})$/.exec(contentType)?.[1] ?? 'bin';
  return { contentType, filename: `${field}.${ending}` };
}

/** Of ranges. */
const WHOLE: Readonly<Record<string, string>> = {
  '*/*': 'application/octet-stream',
  'application/*': 'application/octet-stream',
  'audio/*': 'audio/mpeg',
  'image/*': 'image/png',
  'text/*': 'text/plain',
  'video/*': 'video/mp4',
};

/** A sample with content in each of its files, of which a schema may say nothing at all. */
export function giveFiles({ fields }: FormPlan, value: Json): Json {
  if (!isJsonObject(value)) return value;
  const given = Object.entries(value).map(([name, field]) => [
    name,
    field === null && fields[name]?.as === 'file' ? 'bytes' : field,
  ]);
  return Object.fromEntries(given);
}

/** Whether a server can tell from a form what a mutation has changed in it. Of a file that is only whether it is there. */
export function showsInForm(
  form: FormPlan,
  whole: Json,
  pointer: string,
  mutation: ConfirmedMutation,
  holds: TextCheck,
): boolean {
  const { at, put } = mutation.change;
  const [name = ''] = at;
  const changed = withValueAt(whole, at, put);
  const isContent = form.fields[name]?.as === 'file' && (at.length > 1 || (put !== undefined && !Array.isArray(put)));
  const written = changed === undefined || isContent ? undefined : writeForm(form, changed);
  return written !== undefined && holds(pointer, written.read, mutation);
}
