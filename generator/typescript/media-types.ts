import type { MediaPlan } from '@branchline/runtime';

/** `Application/JSON; charset=utf-8` → `application/json` */
export function stripParameters(mediaType: string): string {
  return (mediaType.split(';')[0] ?? '').trim().toLowerCase();
}

/** Whether a body is a stream of server-sent events. */
export function isEventStream(mediaType: string): boolean {
  return stripParameters(mediaType) === 'text/event-stream';
}

/** Whether a body is one JSON value after another. */
export function isJsonStream(mediaType: string): boolean {
  return /^application\/(?:(?:x-)?ndjson|jsonl|x-jsonlines|json-seq)$/.test(stripParameters(mediaType));
}

/** How a body of a media type is handed over: parsed, as text, or as bytes. */
export function classifyMediaType(mediaType: string): MediaPlan['kind'] {
  const type = stripParameters(mediaType);
  if (type === '*/*' || /[/+]json$/.test(type)) return 'json';
  if (type === 'application/x-www-form-urlencoded') return 'form';
  if (type === 'multipart/form-data') return 'multipart';
  if (isJsonStream(type)) return 'items';
  return type.startsWith('text/') || /[/+](xml|javascript|yaml)$/.test(type) ? 'text' : 'binary';
}
