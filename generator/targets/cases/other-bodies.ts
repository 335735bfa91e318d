import {
  type Contract,
  isJson,
  type Json,
  type MediaTypeObject,
  nameFormType,
  type Operation,
  toPointer,
  writeForm,
} from '@branchline/contract';
import type { Derivation } from './confirmed-mutations.ts';
import { planForm } from './form-plan.ts';
import { listExamples } from './parameter-plan.ts';

/** A valid body that is not derived from in detail: of a media type beside the one that is, or without a schema. */
export interface OtherBody {
  /** The media type as documented. */
  media: string;
  contentType: string;
  text: string;
}

/**
 * One body for each documented media type that can be written as text; the order is the document's.
 *
 * @param planned - The media type that is derived from in detail.
 */
export function makeOtherBodies(
  contract: Contract,
  operation: Operation,
  derivation: Derivation,
  planned: string | undefined,
): OtherBody[] {
  const { requestBody } = operation;
  return Object.entries(requestBody?.value.content ?? {}).flatMap(([media, object]) => {
    if (media === planned || (isJson(media) && object.schema !== undefined)) return [];
    const pointer = `${requestBody?.pointer}${toPointer(['content', media, 'schema'])}`;
    const [example] = listExamples(contract, object);
    const written = write(contract, media, object, example, () => derivation.samples.of(pointer, 'full'));
    return written === undefined ? [] : [{ media, contentType: media, ...written }];
  });
}

type Written = Pick<OtherBody, 'text'> & Partial<OtherBody>;

function write(
  contract: Contract,
  media: string,
  object: MediaTypeObject,
  example: Json | undefined,
  sampled: () => Json | undefined,
): Written | undefined {
  if (typeof example === 'string') return { text: example };
  const value = example ?? (object.schema === undefined ? undefined : sampled());
  if (isJson(media)) return { text: JSON.stringify(value ?? {}) };
  const form = planForm(contract, media, object);
  if (form !== undefined) {
    const written = value === undefined ? undefined : writeForm(form, value);
    return written === undefined ? undefined : { contentType: nameFormType(form), text: written.text };
  }
  if (media.startsWith('text/') && !media.includes('*')) return { text: typeof value === 'string' ? value : 'text' };
  return media === 'application/octet-stream' ? { text: 'bytes' } : undefined;
}
