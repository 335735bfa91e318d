import http, { type ServerResponse } from 'node:http';
import type { Taken } from './answer.ts';
import { type CapturedRequest, isAskedFor } from './captured-request.ts';
import type { Clock } from './clock.ts';
import { listEvents, type Recording } from './recording.ts';

interface Play {
  /** Where redirects lead to. */
  readonly elsewhere: string;
  readonly recording: Recording;
  readonly clock: Clock;
}

/** Answers a request as it was decided, and writes down what went back. */
export function sendAnswer(captured: CapturedRequest, response: ServerResponse, to: Play): void {
  const { answer } = captured;
  if (answer === undefined) return respond(captured, response, to, { status: 404, body: error('Nothing is here.') });
  if (answer.kind === 'reset') {
    captured.answered = { at: to.recording.now(), headers: [], body: '' };
    response.socket?.resetAndDestroy();
    return to.recording.changed();
  }
  if (answer.kind === 'redirected') {
    const location: [string, string] = ['location', to.elsewhere + captured.url];
    return respond(captured, response, to, { status: answer.status, headers: [location], body: '' });
  }
  if (answer.kind === 'refused') {
    const body = error(http.STATUS_CODES[answer.status] ?? 'Refused');
    const wait = answer.retryAfter === undefined ? undefined : writeRetryAfter(answer.retryAfter, to.clock);
    if (wait === undefined) return respond(captured, response, to, { status: answer.status, body });
    const headers: [string, string][] = [['retry-after', wait.text]];
    return respond(captured, response, to, { status: answer.status, headers, body, wait: wait.milliseconds });
  }
  const receipt = {
    status: 200,
    body: writeReceipt(captured, answer, to.recording),
    truncated: answer.truncated === true,
  };
  const out = (): void => respond(captured, response, to, receipt);
  if (answer.held !== undefined) return void answer.held.then(out);
  if (answer.afterSeconds === undefined) return out();
  to.clock.after(answer.afterSeconds * 1_000, out);
}

/** Answers, and closes the connection without reading on. */
export function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status, { connection: 'close', 'content-type': 'application/json' });
  response.end(error(http.STATUS_CODES[status] ?? 'Refused'), () => response.socket?.destroy());
}

interface Response {
  readonly status: number;
  readonly headers?: readonly [string, string][];
  readonly body: string;
  readonly truncated?: boolean;
  /** The milliseconds in which no request is to come. */
  readonly wait?: number;
}

function respond(captured: CapturedRequest, response: ServerResponse, { recording }: Play, given: Response): void {
  const { status, body, truncated = false, wait } = given;
  const length = Buffer.byteLength(body);
  const headers: [string, string][] = [
    ['content-type', 'application/json'],
    ['content-length', String(length)],
    ...(given.headers ?? []),
  ];
  response.writeHead(status, headers.flat());
  const done = (): void => {
    const at = recording.now();
    const sent = truncated ? body.slice(0, length / 2) : body;
    captured.answered = { at, status, headers, body: sent, ...(wait === undefined ? {} : { notBefore: at + wait }) };
    recording.changed();
  };
  if (!truncated) return void response.end(body, done);
  response.write(body.slice(0, length / 2), () => {
    done();
    response.socket?.destroy();
  });
}

function writeReceipt(captured: CapturedRequest, answer: Taken, { knownShapes }: Recording): string {
  const { rejecting = 0, samplingRate = 1, forgetting = false } = answer;
  const events = listEvents(captured);
  const others = events.slice(rejecting);
  if (forgetting) knownShapes.forget();
  const unknownShapeIds = knownShapes.findUnknown(others);
  knownShapes.add(others);
  captured.unknownShapeIds = unknownShapeIds;
  const rejected = events
    .slice(0, rejecting)
    .map(({ messageId }, index) => ({ index, messageId, reason: 'The event is refused to see what comes of it.' }));
  const accepted = others.filter((event) => !isAskedFor(event, captured)).length;
  return JSON.stringify({ accepted, duplicates: 0, rejected, samplingRate, unknownShapeIds });
}

interface RetryAfter {
  readonly form: 'seconds' | 'date';
  readonly seconds: number;
}

/** A date is in whole seconds. */
function writeRetryAfter({ form, seconds }: RetryAfter, clock: Clock): { text: string; milliseconds: number } {
  if (form === 'seconds') return { text: String(seconds), milliseconds: seconds * 1_000 };
  const now = clock.wall();
  const date = new Date(Math.ceil(now / 1_000 + seconds) * 1_000);
  return { text: date.toUTCString(), milliseconds: date.getTime() - now };
}

function error(sentence: string): string {
  return JSON.stringify({ error: sentence });
}
