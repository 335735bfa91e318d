import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { ContractError } from './contract-error.ts';
import type { ContractSchemas } from './contract-schemas.ts';
import { readForm } from './form.ts';
import { parseJsonInTurns } from './json.ts';
import { receiveParts, type Part } from './multipart-parts.ts';
import { objectOf } from './own-properties.ts';
import type { BodyPlan, MediaPlan } from './plan.ts';

/** A body that has been read, and what takes its files away again. */
export interface MultipartBody {
  value: Record<string, unknown>;
  discard: () => void;
}

export interface MultipartSource {
  payload: Readable;
  contentType: string;
  schemas: ContractSchemas;
  /** Where the folder of the files is made; left out: where the system keeps what is temporary. */
  folder: string | undefined;
  /** Waits until the next parts, or the next piece of a large one, may be read. */
  takeTurn: () => Promise<void>;
}

/**
 * Reads a `multipart/form-data` body. Files go to a folder of their own as they come, so the whole of it can be checked before it is
 * handed over, whatever the order of its parts.
 *
 * @throws ContractError of kind `body`, `media-type` or `too-large`; then nothing is left of the files.
 */
export async function readMultipart(
  plan: BodyPlan,
  media: MediaPlan,
  { payload, contentType, schemas, takeTurn, folder = tmpdir() }: MultipartSource,
): Promise<MultipartBody> {
  let made: Promise<string> | undefined;
  const makeFolder = (): Promise<string> => (made ??= mkdtemp(join(folder, 'upload-')));
  const discard = (): void => {
    // What can't be taken away is left to whoever clears what is temporary.
    made?.then((path) => rm(path, { recursive: true, force: true })).catch(() => {});
  };
  try {
    const parts = await receiveParts(plan, media, { payload, contentType, makeFolder, takeTurn });
    return { value: await assemble(parts, media, schemas, takeTurn), discard };
  } catch (error) {
    discard();
    throw error;
  }
}

/** The value that the schema describes: texts read by their types, JSON parsed, a list wherever one is meant. */
async function assemble(
  parts: readonly Part[],
  media: MediaPlan,
  schemas: ContractSchemas,
  takeTurn: () => Promise<void>,
): Promise<Record<string, unknown>> {
  const { schema, fields = [], parts: plans = [] } = media;
  const planOf = new Map(plans.map((plan) => [plan.name, plan]));
  const isJson = ({ name, mediaType, file }: Part): boolean =>
    file === undefined && (planOf.get(name)?.kind === 'json' || /[/+]json$/.test(mediaType));
  const texts = new Map<string, string[]>();
  const others: [string, unknown][] = [];
  for (const [name, all] of Map.groupBy(parts, (part) => part.name)) {
    if (all.every((part) => part.text !== undefined && !isJson(part))) texts.set(name, all.map(escape));
    else {
      const values: unknown[] = [];
      for (const part of all) values.push(isJson(part) ? await readJsonPart(part, takeTurn) : (part.text ?? part.file));
      others.push([name, gather(values, planOf.get(name)?.list === true)]);
    }
  }
  const form = await readForm(texts, fields, takeTurn);
  const read = schema === undefined ? form : schemas.readText(schema, form);
  return objectOf([...Object.entries(read as Record<string, unknown>), ...others]);
}

/** Fields are read as those of other forms, in which what stands for itself is percent-encoded. */
function escape({ text = '' }: Part): string {
  return text.replaceAll('%', '%25').replaceAll('+', '%2B');
}

async function readJsonPart({ name, text = '' }: Part, takeTurn: () => Promise<void>): Promise<unknown> {
  try {
    return await parseJsonInTurns(Buffer.from(text), takeTurn);
  } catch {
    throw new ContractError('body', `The field "${name}" of the body must be JSON.`);
  }
}

/** A list may come as one JSON text, too. */
function gather(values: readonly unknown[], isList: boolean): unknown {
  const [first] = values;
  if (values.length > 1) return values;
  return isList && !Array.isArray(first) ? values : first;
}
