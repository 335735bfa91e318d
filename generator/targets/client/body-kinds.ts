import type { Contract, MediaTypeObject } from '@branchline/contract';
import { stripParameters, isEventStream, classifyMediaType } from '../../typescript/media-types.ts';
import { hasTextEvents } from '../server/reply-types.ts';
import { findTypes } from '../../typescript/schema-types.ts';
import type { AnswerKind, Kind } from './templates/plan.ts';

/**
 * How a client hands over a body of a media type. What a range leaves open is bytes; the range of all types is JSON where its
 * schema describes more than a text, as many generators of contracts write it.
 */
export function classifyBody(contract: Contract, mediaType: string, { schema }: MediaTypeObject): Kind {
  const type = stripParameters(mediaType);
  if (type === '*/*') {
    const types = findTypes(contract, schema);
    return types.size === 0 || types.has('string') ? 'bytes' : 'json';
  }
  if (type.includes('*')) return 'bytes';
  const kind = classifyMediaType(type);
  return kind === 'binary' ? 'bytes' : kind;
}

/** How an answer's body of a media type is handed over. */
export function classifyAnswer(contract: Contract, mediaType: string, media: MediaTypeObject): AnswerKind {
  if (!isEventStream(mediaType)) {
    const kind = classifyBody(contract, mediaType, media);
    return kind === 'multipart' ? 'bytes' : kind;
  }
  return hasTextEvents(contract, media) ? 'textEvents' : 'events';
}
