import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { parseContentType } from './content-type.ts';
import { ContractError } from './contract-error.ts';
import type { BodyPlan, MediaPlan } from './plan.ts';

/** What a request's `Content-Type` means in the contract. */
export interface Media {
  /** The media type as the request has it, in lower case, without parameters. */
  readonly type: string;
  readonly kind: MediaPlan['kind'];
  readonly plan: MediaPlan;
}

/** Does the request carry a body, empty or not? */
function announcesBody(headers: IncomingHttpHeaders): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/**
 * Refuses, before a byte of it is read, a body that can't be taken.
 *
 * @throws ContractError of kind `media-type` or `too-large`.
 */
export function checkBodyHeaders(plan: BodyPlan, { headers, rawHeaders }: IncomingMessage): void {
  const written = headers['content-type'];
  // Of several, Node keeps the first, and others may keep the last.
  if (countHeaders(rawHeaders, 'content-type') > 1)
    throw new ContractError('media-type', 'The request has the header "content-type" twice.');
  if (written !== undefined || announcesBody(headers)) findMedia(plan, written);
  const encoding = readEncoding(headers);
  if (encoding !== undefined && encoding !== 'identity' && !(encoding === 'gzip' && plan.gzip)) {
    const accepted = plan.gzip ? 'gzip' : 'identity';
    throw new ContractError('media-type', `The content encoding "${encoding}" is not supported; send ${accepted}.`, {
      'accept-encoding': accepted,
    });
  }
  if (Number(headers['content-length']) > plan.maxBytes) throw refuseTooLarge(plan);
}

/** The `Content-Encoding`, in lower case; undefined where there is none. */
export function readEncoding(headers: IncomingHttpHeaders): string | undefined {
  return headers['content-encoding']?.trim().toLowerCase();
}

/** @param flat - Names and values by turns. */
function countHeaders(flat: readonly string[], wanted: string): number {
  let count = 0;
  for (let at = 0; at < flat.length; at += 2) if (flat[at]?.toLowerCase() === wanted) count += 1;
  return count;
}

/** What the last content type of a body meant: that of a request is asked for twice, and clients send the same one over and over. */
const latest = new WeakMap<BodyPlan, { contentType: string | undefined; media: Media }>();

/** @throws ContractError of kind `media-type` where the contract does not know it. */
export function findMedia(plan: BodyPlan, contentType: string | undefined): Media {
  const known = latest.get(plan);
  if (known !== undefined && known.contentType === contentType) return known.media;
  const media = readMedia(plan, contentType);
  latest.set(plan, { contentType, media });
  return media;
}

function readMedia(plan: BodyPlan, contentType: string | undefined): Media {
  const { type: written, charset } = parseContentType(contentType ?? '');
  const [family] = written.split('/');
  const media =
    plan.media.find(({ type }) => type === written) ??
    plan.media.find(({ type }) => type === `${family}/*` || (type === '*/*' && written.includes('/')));
  if (media === undefined) {
    const known = plan.media.map(({ type }) => type).join(' or ');
    throw new ContractError('media-type', `The body must have the content type ${known}.`);
  }
  if (media.kind !== 'binary' && charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') {
    throw new ContractError('media-type', 'The body must be in UTF-8; leave the charset out, or name utf-8.');
  }
  return { type: written, kind: media.type.includes('*') ? classifyBody(written) : media.kind, plan: media };
}

/** How a body of a media type is handed over. */
function classifyBody(type: string): MediaPlan['kind'] {
  if (/[/+]json$/.test(type)) return 'json';
  if (type === 'application/x-www-form-urlencoded') return 'form';
  return type.startsWith('text/') ? 'text' : 'binary';
}

export function refuseTooLarge({ maxBytes }: BodyPlan): ContractError {
  return new ContractError('too-large', `The body must not exceed ${maxBytes} bytes.`);
}
