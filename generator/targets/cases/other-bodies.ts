import {
  type Contract,
  isJson,
  isJsonObject,
  type Json,
  type MediaTypeObject,
  type Operation,
  toPointer,
} from '@branchline/contract';
import type { Derivation } from './confirmed-mutations.ts';
import { listExamples } from './parameter-plan.ts';

/** A valid body that is not derived from in detail: not JSON, or JSON without a schema. */
export interface OtherBody {
  /** The media type as documented. */
  media: string;
  contentType: string;
  text: string;
}

/** One body for each documented media type that can be written as text; the order is the document's. */
export function makeOtherBodies(contract: Contract, operation: Operation, derivation: Derivation): OtherBody[] {
  const { requestBody } = operation;
  return Object.entries(requestBody?.value.content ?? {}).flatMap(([media, object]) => {
    if (isJson(media) && object.schema !== undefined) return [];
    const pointer = `${requestBody?.pointer}${toPointer(['content', media, 'schema'])}`;
    const [example] = listExamples(contract, object);
    const written = write(media, object, example, () => derivation.samples.of(pointer, 'full'));
    return written === undefined ? [] : [{ media, contentType: media, ...written }];
  });
}

type Written = Pick<OtherBody, 'text'> & Partial<OtherBody>;

function write(
  media: string,
  { schema, encoding }: MediaTypeObject,
  example: Json | undefined,
  sampled: () => Json | undefined,
): Written | undefined {
  if (typeof example === 'string') return { text: example };
  const value = example ?? (schema === undefined ? undefined : sampled());
  if (isJson(media)) return { text: JSON.stringify(value ?? {}) };
  if (media === 'application/x-www-form-urlencoded')
    return isJsonObject(value) ? { text: writeForm(value, encoding) } : undefined;
  if (media === 'multipart/form-data') return isJsonObject(value) ? writeMultipart(value) : undefined;
  if (media.startsWith('text/') && !media.includes('*')) return { text: typeof value === 'string' ? value : 'text' };
  return media === 'application/octet-stream' ? { text: 'bytes' } : undefined;
}

function writeForm(value: { [name: string]: Json }, encoding: MediaTypeObject['encoding'] = {}): string {
  const written = Object.entries(value).flatMap(([name, field]) =>
    encoding[name]?.style === 'deepObject' ? writeDeepFields(name, field) : writeFields({ [name]: field }),
  );
  return new URLSearchParams(written).toString();
}

/** `owner[name]=x&owner[tags][0]=y` */
function writeDeepFields(name: string, value: Json): [string, string][] {
  if (typeof value !== 'object' || value === null)
    return [[name, typeof value === 'string' ? value : JSON.stringify(value)]];
  return Object.entries(value).flatMap(([field, member]) => writeDeepFields(`${name}[${field}]`, member));
}

const boundary = 'branchline-boundary';

function writeMultipart(value: { [name: string]: Json }): Written {
  const parts = writeFields(value).map(
    ([name, text]) =>
      `--${boundary}\r\ncontent-disposition: form-data; name=${JSON.stringify(name)}\r\n\r\n${text}\r\n`,
  );
  return { contentType: `multipart/form-data; boundary=${boundary}`, text: `${parts.join('')}--${boundary}--\r\n` };
}

function writeFields(value: { [name: string]: Json }): [string, string][] {
  return Object.entries(value).flatMap(([name, field]) =>
    [field].flat().map((one): [string, string] => [name, typeof one === 'string' ? one : JSON.stringify(one)]),
  );
}
