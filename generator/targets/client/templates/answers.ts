import { EventStream } from './events.ts';
import { readItems } from './items.ts';
import type { AnswerPlan, OperationPlan } from './plan.ts';

/** A body that is not parsed: read it whole, or as a stream (`body`). It is that of the `Response`. */
export type Content = Pick<Response, 'body' | 'text' | 'arrayBuffer' | 'blob'>;

/** An answer that the contract does not document. */
export class AnswerError extends Error {
  override name = 'AnswerError';
  /** The id of the operation. */
  readonly operation: string;
  readonly status: number;
  /** As it came; its body has not been read, unless `text` is there. */
  readonly response: Response;
  /** The body, where it was to be JSON and is not. */
  readonly text: string | undefined;

  constructor(operation: string, response: Response, problem: string, text?: string) {
    super(`${operation} was answered ${response.status}${problem}`);
    this.operation = operation;
    this.status = response.status;
    this.response = response;
    this.text = text;
  }
}

interface Answer {
  status: number;
  type: string | undefined;
  headers: Headers;
  body: unknown;
}

/**
 * Reads an answer as the contract documents it.
 *
 * @throws AnswerError where it does not.
 */
export async function readAnswer(plan: OperationPlan, response: Response): Promise<Answer> {
  const { status, headers } = response;
  const documented = plan.answers[status] ?? plan.answers[`${Math.floor(status / 100)}XX`] ?? plan.answers['default'];
  if (documented === undefined) throw new AnswerError(plan.id, response, ', which the contract does not document.');
  const sent = stripParameters(headers.get('content-type'));
  if (documented.length === 0 || plan.method === 'HEAD' || hasNoBody(status)) {
    return { status, type: sent, headers, body: undefined };
  }
  const media = findMedia(documented, sent);
  if (media === undefined) {
    const names = documented.map(({ type }) => type).join(', ');
    throw new AnswerError(plan.id, response, ` as ${sent ?? 'an unknown type'}; the contract documents ${names}.`);
  }
  return { status, type: sent ?? media.type, headers, body: await readBody(plan, response, media) };
}

async function readBody(plan: OperationPlan, response: Response, { kind, type }: AnswerPlan): Promise<unknown> {
  const parse = (text: string, what: string): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      throw new AnswerError(plan.id, response, ` with ${what} that is not JSON.`, text);
    }
  };
  if (kind === 'textEvents') return new EventStream(response.body, (data) => data);
  if (kind === 'events') return new EventStream(response.body, (data) => parse(data, 'an event'));
  if (kind === 'items') return readItems(response.body, type, (item) => parse(item, 'an item'));
  return kind === 'json' ? parse(await response.text(), 'a body') : response;
}

function hasNoBody(status: number): boolean {
  return status === 204 || status === 205 || status === 304;
}

/** The best match: the type itself, a range of its kind, then any. One documented type goes without saying. */
function findMedia(documented: readonly AnswerPlan[], sent: string | undefined): AnswerPlan | undefined {
  if (sent === undefined) return documented.length === 1 ? documented[0] : undefined;
  const range = `${sent.split('/')[0] ?? ''}/*`;
  const isJson = /[/+]json$/.test(sent);
  return (
    documented.find(({ type }) => type === sent) ??
    documented.find(({ type }) => type === range) ??
    documented.find(({ type, kind }) => type === '*/*' && (isJson || kind !== 'json')) ??
    // `application/problem+json` where `application/json` is documented, and the reverse.
    documented.find(({ kind }) => isJson && kind === 'json')
  );
}

function stripParameters(contentType: string | null): string | undefined {
  return contentType?.split(';')[0]?.trim().toLowerCase();
}
