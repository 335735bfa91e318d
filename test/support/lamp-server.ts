import type { IncomingHttpHeaders } from 'node:http';

/** A single thing that the lamp server does wrong. */
export type Fault =
  | 'coerces numbers'
  | 'counts UTF-16 units'
  | 'allows one more'
  | 'forgets required'
  | 'refuses unknown fields'
  | 'takes any media type'
  | 'lets anyone in'
  | 'lets the name alone in'
  | 'answers 404 for a wrong method'
  | 'forgets Allow'
  | 'refuses a bad part'
  | 'undocumented error body'
  | 'limit off by one'
  | 'crashes on null'
  | 'ignores the header';

export interface LampRequest {
  method: string;
  url: URL;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Reply {
  status: number;
  body?: unknown;
  allow?: string;
}

/** A hand-written server of the contract in `lamps.ts`, right but for its fault. */
export function lampServer(fault?: Fault): (request: LampRequest) => Reply {
  const refuse = (status: number): Reply => ({
    status,
    body: fault === 'undocumented error body' ? { message: 'No.' } : { error: 'No.' },
  });
  return (request) => {
    const path = request.url.pathname;
    const methods = methodsOf(path);
    if (!methods.includes(request.method)) {
      if (fault === 'answers 404 for a wrong method') return refuse(404);
      return { ...refuse(405), ...(fault === 'forgets Allow' ? {} : { allow: methods.join(', ') }) };
    }
    if (path === '/health') return { status: 204 };
    if (path === '/notes') {
      const status = takeNote(request);
      return status === 204 ? { status } : refuse(status);
    }
    if (!isAdmitted(request, fault)) return refuse(401);
    if (request.method === 'DELETE')
      return path.endsWith('/3b241101-e2bb-4255-8caf-4136c566a962') ? { status: 204 } : refuse(404);
    if (request.method === 'GET') return isListable(request, fault) ? { status: 200, body: [] } : refuse(400);
    if (request.headers['content-type'] !== 'application/json' && fault !== 'takes any media type') {
      return refuse(request.body === '' ? 400 : 415);
    }
    return createLamp(request.body, fault) ?? refuse(400);
  };
}

function methodsOf(path: string): string[] {
  if (path === '/lamps') return ['GET', 'POST'];
  if (path === '/notes') return ['POST'];
  return path === '/health' ? ['GET'] : ['DELETE'];
}

/** The status of the answer. */
function takeNote({ headers, body }: LampRequest): number {
  const type = String(headers['content-type']);
  if (body === '') return 400;
  if (type.startsWith('application/x-www-form-urlencoded')) {
    const form = new URLSearchParams(body);
    const isRight =
      form.getAll('text').every((text) => text === 'a b') && form.getAll('tags').every((tag) => tag === 'x');
    return isRight ? 204 : 400;
  }
  return /^(multipart\/form-data|text\/plain)/.test(type) ? 204 : 415;
}

function isAdmitted({ headers }: LampRequest, fault: Fault | undefined): boolean {
  if (fault === 'lets anyone in') return true;
  const pair = Buffer.from(String(headers.authorization).replace('Basic ', ''), 'base64').toString();
  return fault === 'lets the name alone in' ? pair.startsWith('ada:') : pair === 'ada:secret';
}

function isListable({ url, headers }: LampRequest, fault: Fault | undefined): boolean {
  const limit = url.searchParams.get('limit') ?? '1';
  const colours = url.searchParams.get('colours')?.split(',') ?? [];
  return (
    (fault === 'ignores the header' || /^[a-f0-9]{4}$/.test(String(headers['x-trace']))) &&
    /^\d+$/.test(limit) &&
    Number(limit) >= 1 &&
    Number(limit) <= (fault === 'limit off by one' ? 11 : 10) &&
    colours.length <= 2 &&
    colours.every((colour) => ['red', 'blue'].includes(colour)) &&
    (url.searchParams.get('cursor') ?? '').length <= 20
  );
}

function createLamp(body: string, fault: Fault | undefined): Reply | undefined {
  let lamp: { name?: unknown; note?: unknown; watts?: unknown; parts?: unknown };
  try {
    lamp = JSON.parse(body);
  } catch {
    return undefined;
  }
  if (fault === 'crashes on null' && lamp === null) return { status: 500, body: { error: 'Oops.' } };
  if (typeof lamp !== 'object' || lamp === null || Array.isArray(lamp)) return undefined;
  const { note = '', watts = 1, parts = [] } = lamp;
  const name =
    fault === 'forgets required'
      ? (lamp.name ?? 'lamp')
      : fault === 'coerces numbers' && typeof lamp.name === 'number'
        ? 'seven'
        : lamp.name;
  const most = fault === 'allows one more' ? 9 : 8;
  const valid =
    typeof name === 'string' &&
    new RegExp(`^[a-z]{1,${most}}$`).test(name) &&
    typeof note === 'string' &&
    (fault === 'counts UTF-16 units' ? note.length : [...note].length) <= 40 &&
    Number.isInteger(watts) &&
    Number(watts) > 0 &&
    Number(watts) <= 100 &&
    Array.isArray(parts) &&
    parts.length <= 3 &&
    (fault !== 'refuses a bad part' || parts.every((part) => Number.isInteger(Object(part).id))) &&
    (fault !== 'refuses unknown fields' ||
      Object.keys(lamp).every((key) => ['name', 'note', 'watts', 'parts'].includes(key)));
  return valid ? { status: 201, body: { name } } : undefined;
}
