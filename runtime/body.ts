import { finished, Readable } from 'node:stream';
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { findMedia, readEncoding, refuseTooLarge, type Media } from './body-headers.ts';
import { ContractError } from './contract-error.ts';
import { makeReference, type ContractSchemas } from './contract-schemas.ts';
import { parseForm } from './form.ts';
import { parseJsonInTurns } from './json.ts';
import { readItems } from './json-items.ts';
import type { BodyPlan, MediaPlan } from './plan.ts';
import { takeTurn } from './turns.ts';
import { unpack } from './unpacking.ts';
import { chooseError, describeDemand, toFieldName } from './validation-errors.ts';

/** Where the body that was read is put. */
interface Target {
  body: unknown;
  type?: string | undefined;
}

/** What the reading of bodies depends on beside the contract. */
export interface BodyOptions {
  /** Whom a request's turns count for; left out: all of them are one's. */
  holderOf?: ((request: FastifyRequest) => string) | undefined;
  /** Where files are kept until the reply has been sent. */
  uploadFolder?: string | undefined;
}

/** In bytes. To check more may take some milliseconds, as to read a form or text of them. */
const LARGE_BODY = 16_384;

/**
 * Prepares the reading of an operation's body.
 *
 * The function it gives puts the value into `target` as soon as it is parsed, also where it does not fit its schema. It
 * throws a ContractError of kind `body` or `too-large`.
 */
export function createBodyReader(
  plan: BodyPlan,
  schemas: ContractSchemas,
  { holderOf, uploadFolder: folder }: BodyOptions = {},
): (request: FastifyRequest, target: Target, reply: FastifyReply) => Promise<void> {
  const validators = new Map(plan.media.map((media) => [media, compileValidator(media, schemas)]));
  const check = (media: MediaPlan, value: unknown): void => {
    const validate = validators.get(media);
    if (validate?.(value) === false) throw describeProblem(chooseError(validate.errors));
  };

  const readWhole = async (request: FastifyRequest, reply: FastifyReply): Promise<Buffer> => {
    // The plugin's content type parser hands the payload over unread.
    const bytes = request.body instanceof Readable ? await collect(plan, request.body) : Buffer.alloc(0);
    if (bytes.length === 0 || !isPacked(request)) return bytes;
    return unpackBody(plan, bytes, reply, holderOf?.(request) ?? '');
  };

  /** A body that is not read whole; one that is packed is unpacked whole. */
  const openPayload = async (request: FastifyRequest, reply: FastifyReply): Promise<Readable> => {
    if (isPacked(request)) return Readable.from([await readWhole(request, reply)]);
    return request.body instanceof Readable ? request.body : Readable.from([]);
  };

  const takeParts = async (request: FastifyRequest, target: Target, reply: FastifyReply, media: MediaPlan) => {
    const { readMultipart } = await import('./multipart.ts');
    const { value, discard } = await readMultipart(plan, media, {
      payload: await openPayload(request, reply),
      contentType: request.headers['content-type'] ?? '',
      schemas,
      folder,
      takeTurn: () => takeTurn(holderOf?.(request)),
    });
    finished(reply.raw, discard);
    target.body = value;
    request.body = value;
    check(media, value);
  };

  const takeItems = async (
    request: FastifyRequest,
    target: Target,
    reply: FastifyReply,
    { plan: media, type }: Media,
  ) => {
    const payload = await openPayload(request, reply);
    target.body = readItems(payload, type, plan, {
      validate: validators.get(media),
      takeTurn: () => takeTurn(holderOf?.(request)),
    });
    request.body = target.body;
    // What the handler has not asked for.
    finished(reply.raw, () => payload.resume());
  };

  return async (request, target, reply) => {
    const contentType = request.headers['content-type'];
    const named = contentType === undefined ? undefined : findMedia(plan, contentType);
    target.type = named?.type;
    if (named?.kind === 'multipart') return takeParts(request, target, reply, named.plan);
    if (named?.kind === 'items') return takeItems(request, target, reply, named);
    const bytes = await readWhole(request, reply);
    request.body = undefined;
    if (named === undefined) return bytes.length === 0 ? refuseMissing(plan) : void findMedia(plan, undefined);
    const { kind, plan: media } = named;
    if (bytes.length === 0 && (kind === 'json' || kind === 'form')) {
      target.type = undefined;
      return refuseMissing(plan);
    }
    const turn = (): Promise<void> => takeTurn(holderOf?.(request));
    const isLarge = bytes.length > LARGE_BODY;
    if (kind === 'json') target.body = await parseJsonInTurns(bytes, turn);
    else {
      if (isLarge) await turn();
      target.body = await parseBody(kind, bytes, media, { schemas, takeTurn: turn });
    }
    if (isLarge && validators.get(media) !== undefined) await turn();
    request.body = target.body;
    check(media, target.body);
  };
}

/** Only JSON and forms have a structure that a schema can speak of; a text may have a form. */
function compileValidator({ kind, schema }: MediaPlan, schemas: ContractSchemas): ValidateFunction | undefined {
  if (schema === undefined || kind === 'binary') return undefined;
  return schemas.compile(makeReference(schema));
}

function refuseMissing({ required }: BodyPlan): void {
  if (required) throw new ContractError('body', 'The body is missing.');
}

function describeProblem(error: ErrorObject | undefined): ContractError {
  const field = toFieldName(error?.instancePath ?? '');
  const subject = field === '' ? 'The body' : `The field "${field}" of the body`;
  return new ContractError('body', `${subject} ${describeDemand(error)}.`);
}

function isPacked({ headers }: FastifyRequest): boolean {
  return readEncoding(headers) === 'gzip';
}

/** @throws ContractError of kind `too-large`, or `body` where it is no gzip, or the client has gone. */
async function unpackBody(plan: BodyPlan, bytes: Buffer, { raw }: FastifyReply, holder: string): Promise<Buffer> {
  if (countMembers(bytes) > MAX_MEMBERS) throw new ContractError('body', 'The body has too many gzip members.');
  const gone = new AbortController();
  const stop = (): void => gone.abort();
  raw.once('close', stop);
  if (raw.closed) stop();
  try {
    return await unpack(bytes, { maxBytes: plan.maxBytes, holder, signal: gone.signal });
  } catch (error) {
    if (error instanceof RangeError) throw refuseTooLarge(plan);
    throw new ContractError('body', gone.signal.aborted ? 'The client has gone.' : 'The body is not valid gzip.');
  } finally {
    raw.off('close', stop);
  }
}

/** How gzip members begin: two bytes, and the only method that there is (RFC 1952). */
const MEMBER = Buffer.of(0x1f, 0x8b, 8);

/** Each costs a new start, however little is in it. Hardly any client sends more than one. */
const MAX_MEMBERS = 100;

/** Counts no fewer than there are, and stops past the maximum. Compressed bytes look like another member once in 16 MiB. */
function countMembers(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(MEMBER); at !== -1 && count <= MAX_MEMBERS; at = bytes.indexOf(MEMBER, at + 1))
    count += 1;
  return count;
}

/** Past the limit the rest is thrown away as it comes, so that a client that is still sending gets to read the answer. */
function collect(plan: BodyPlan, payload: Readable): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= plan.maxBytes) {
        chunks.push(chunk);
        return;
      }
      payload.off('data', onData);
      payload.resume();
      reject(refuseTooLarge(plan));
    };
    payload.on('data', onData);
    payload.on('end', () => resolve(Buffer.concat(chunks, size)));
    payload.on('error', () => reject(new ContractError('body', 'The body broke off.')));
  });
}

/** Turns bytes into the value that the handler sees: forms parsed, text as a string, everything else as it is. */
async function parseBody(
  kind: Exclude<MediaPlan['kind'], 'json' | 'items' | 'multipart'>,
  bytes: Buffer,
  { fields = [], schema }: MediaPlan,
  { schemas, takeTurn }: { schemas: ContractSchemas; takeTurn: () => Promise<void> },
): Promise<unknown> {
  if (kind === 'binary') return bytes;
  const text = decode(bytes);
  if (kind !== 'form') return text;
  const form = await parseForm(text, fields, takeTurn);
  return schema === undefined ? form : schemas.readText(schema, form);
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ContractError('body', 'The body is not valid UTF-8.');
  }
}
