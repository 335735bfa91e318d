import { type Contract, isObject, type Operation } from '../../contract/index.ts';

/** What a request holds, as the server has read it. */
export interface Inputs {
  readonly values: readonly unknown[];
  /** Whether it asks for something that is there. */
  readonly isFound: boolean;
  readonly hasBody: boolean;
}

/** What a server would answer. */
export interface Reply {
  status: number;
  type?: string | undefined;
  body?: unknown;
  /** Instead of the body as JSON. */
  text?: string;
}

/** One thing that a server does wrong, in one operation. */
export interface Fault {
  readonly name: string;
  /** Whether it can be done wrong there, so that it shows. */
  readonly fits: (operation: Operation, contract: Contract) => boolean;
  /** Keywords of schemas that are not looked at in requests. */
  readonly ignores?: readonly string[];
  /** Parts of a request's treatment that are left out. */
  readonly skips?: readonly Step[];
  /** Whether it breaks at a request, before that is looked at. */
  readonly crashes?: (inputs: Inputs) => boolean;
  /** Changes what would be answered. */
  readonly answers?: (reply: Reply) => Reply;
}

export type Step =
  | 'credentials'
  | 'wrong credentials'
  | 'required parameters'
  | 'parameters'
  | 'body'
  | 'media type'
  | 'store'
  | 'delete'
  | 'update'
  | 'lookup';

const any = (): boolean => true;
const isSecured = ({ security }: Operation): boolean =>
  security.length > 0 && security.every((one) => Object.keys(one).length > 0);
const content = (operation: Operation): object[] => Object.values(operation.requestBody?.value.content ?? {});
const hasBody = (operation: Operation): boolean => 'application/json' in (operation.requestBody?.value.content ?? {});
const isOne = ({ path }: Pick<Operation, 'path'>): boolean => path.endsWith('}');
const takes = (operation: Operation): boolean => hasBody(operation) || operation.parameters.length > 0;
const repliedSchemas = ({ responses }: Operation): unknown[] =>
  responses.flatMap(({ status, value }) => {
    const media = status.startsWith('2') ? value.content?.['application/json'] : undefined;
    return media === undefined ? [] : [media.schema ?? {}];
  });
/** It documents the body of an error that it can answer with. */
const showsErrors = (operation: Operation): boolean =>
  takes(operation) &&
  operation.responses.some(
    ({ status, value }) => ['400', '401', '404', '415'].includes(status) && 'application/json' in (value.content ?? {}),
  );
const repliesJson = (operation: Operation): boolean => repliedSchemas(operation).length > 0;
/** The schemas of what it answers name a keyword. */
const answersWith =
  (...keywords: string[]) =>
  (operation: Operation, contract: Contract): boolean =>
    namesAny(contract, repliedSchemas(operation), keywords);
/** The schemas of what it takes name a keyword; of the body alone where that is what is ignored. */
const asksFor =
  (...keywords: string[]) =>
  (operation: Operation, contract: Contract): boolean =>
    namesAny(contract, [content(operation), operation.parameters.map(({ value }) => value.schema)], keywords);
const asksInBody =
  (...keywords: string[]) =>
  (operation: Operation, contract: Contract): boolean =>
    hasBody(operation) && namesAny(contract, content(operation), keywords);
/** Whether there is an operation by which a change of something shows. */
const isShown = (path: string, { operations }: Contract): boolean =>
  operations.some((one) => one.method === 'get' && (one.path === path || isUnder(one.path, path)));

/** Whether a path is that of one thing in a collection. */
function isUnder(path: string, collection: string): boolean {
  return path.startsWith(`${collection}/`) && /^\/\{[^{}/]+\}$/.test(path.slice(collection.length));
}

/** Whether schemas, or those that they refer to, name one of some keywords. */
function namesAny(contract: Contract, root: unknown, keywords: readonly string[]): boolean {
  const open = new Set([root]);
  // A set goes on to what is added to it meanwhile.
  for (const value of open) {
    if (!isObject(value)) continue;
    if (!Array.isArray(value) && keywords.some((keyword) => keyword in value)) return true;
    for (const part of Object.values(value)) open.add(part);
    if (typeof value['$ref'] === 'string') open.add(contract.resolve(value));
  }
  return false;
}

const isThing = (schema: unknown, contract: Contract): boolean => Object(contract.resolve(schema)).type !== 'array';

const isSuccess = ({ status }: Reply): boolean => status >= 200 && status < 300;
const onSuccess =
  (change: (reply: Reply) => Reply) =>
  (reply: Reply): Reply =>
    isSuccess(reply) && reply.body !== undefined ? change(reply) : reply;
const onFields = (change: (fields: Record<string, unknown>) => void): ((reply: Reply) => Reply) =>
  onSuccess((reply) => {
    const body = structuredClone(reply.body);
    const whole = Object(body);
    const first = Array.isArray(body) ? body[0] : (Object.values(whole).find(Array.isArray)?.[0] ?? body);
    change(Object(first));
    return { ...reply, body };
  });
const onError =
  (change: (reply: Reply) => Reply) =>
  (reply: Reply): Reply =>
    reply.status >= 400 ? change(reply) : reply;
const holds =
  (test: (value: unknown) => boolean) =>
  ({ values }: Inputs): boolean =>
    values.some(test);
const holdsText = (test: (text: string) => boolean): ((inputs: Inputs) => boolean) =>
  holds((value) => typeof value === 'string' && test(value));
const holdsNumber = (test: (number: number) => boolean): ((inputs: Inputs) => boolean) =>
  holds(
    (value) => (typeof value === 'number' || (typeof value === 'string' && value.trim() !== '')) && test(Number(value)),
  );

/** Forty things that servers do wrong. */
export const faults: readonly Fault[] = [
  {
    name: 'reply: a field of another type',
    fits: answersWith('properties'),
    answers: onFields((all) => setAll(all, (value) => (typeof value === 'object' ? 'text' : { value }))),
  },
  {
    name: 'reply: a field is null',
    fits: answersWith('properties'),
    answers: onFields((all) => setAll(all, () => null)),
  },
  {
    name: 'reply: fields are missing',
    fits: (...one) => answersWith('required')(...one) && answersWith('properties')(...one),
    answers: onSuccess((reply) => ({ ...reply, body: Array.isArray(reply.body) ? [{}] : {} })),
  },
  {
    name: 'reply: a text instead of a structure',
    fits: answersWith('properties', 'items'),
    answers: onSuccess((reply) => ({ ...reply, body: 'ok' })),
  },
  {
    name: 'reply: broken JSON',
    fits: repliesJson,
    answers: onSuccess((reply) => ({ ...reply, text: JSON.stringify(reply.body).slice(0, -1) })),
  },
  {
    name: 'reply: as HTML',
    fits: repliesJson,
    answers: onSuccess((reply) => ({ ...reply, type: 'text/html', text: '<p>ok</p>' })),
  },
  {
    name: 'reply: without a media type',
    fits: repliesJson,
    answers: onSuccess((reply) => ({ ...reply, type: undefined, text: JSON.stringify(reply.body) })),
  },
  {
    name: 'reply: an undocumented success',
    fits: any,
    answers: (reply) => (isSuccess(reply) ? { ...reply, status: 206 } : reply),
  },
  {
    name: 'reply: 200 instead of 201 or 204',
    fits: ({ responses }) => responses.some(({ status }) => status === '201' || status === '204'),
    answers: (reply) => (reply.status === 201 || reply.status === 204 ? { ...reply, status: 200 } : reply),
  },
  { name: 'error: another body', fits: showsErrors, answers: onError((reply) => ({ ...reply, body: { error: 7 } })) },
  {
    name: 'error: as a page',
    fits: showsErrors,
    answers: onError((reply) => ({ ...reply, type: 'text/html', text: '<h1>Error</h1>' })),
  },
  { name: 'credentials are not checked', fits: isSecured, skips: ['credentials'] },
  { name: 'any credentials will do', fits: isSecured, skips: ['wrong credentials'] },
  { name: 'crashes without a body', fits: hasBody, crashes: (inputs) => !inputs.hasBody },
  {
    name: 'crashes at a body of null',
    fits: hasBody,
    crashes: ({ values, hasBody: has }) => has && values.includes(null),
  },
  {
    name: 'crashes at an astral character',
    fits: takes,
    crashes: holdsText((text) => /[\u{10000}-\u{10ffff}]/u.test(text)),
  },
  { name: 'crashes at a letter outside ASCII', fits: takes, crashes: holdsText((text) => /[^\0-\u007f]/.test(text)) },
  { name: 'crashes at an empty text', fits: hasBody, crashes: holdsText((text) => text === '') },
  { name: 'crashes at a long text', fits: takes, crashes: holdsText((text) => text.length > 1_000) },
  { name: 'crashes at an apostrophe', fits: takes, crashes: holdsText((text) => text.includes("'")) },
  { name: 'crashes at a negative number', fits: takes, crashes: holdsNumber((number) => number < 0) },
  { name: 'crashes beyond int32', fits: takes, crashes: holdsNumber((number) => Math.abs(number) > 2 ** 31) },
  {
    name: 'crashes at a number with a fraction',
    fits: takes,
    crashes: holdsNumber((number) => !Number.isInteger(number) && Number.isFinite(number)),
  },
  {
    name: 'crashes at an empty array',
    fits: hasBody,
    crashes: holds((value) => Array.isArray(value) && value.length === 0),
  },
  { name: 'crashes where nothing is there', fits: isOne, crashes: ({ isFound }) => !isFound },
  {
    name: 'takes a body without required fields',
    fits: asksInBody('required'),
    ignores: ['required'],
  },
  { name: 'takes values beside an enum', fits: asksFor('enum'), ignores: ['enum', 'const'] },
  {
    name: 'takes any length',
    fits: asksFor('maxLength', 'minLength', 'maxItems', 'minItems'),
    ignores: ['maxLength', 'minLength', 'maxItems', 'minItems'],
  },
  {
    name: 'takes any number',
    fits: asksFor('minimum', 'maximum'),
    ignores: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  },
  { name: 'takes any format and pattern', fits: asksFor('format', 'pattern'), ignores: ['format', 'pattern'] },
  { name: 'takes any type', fits: asksInBody('type'), ignores: ['type'] },
  { name: 'takes a body that is no JSON', fits: hasBody, skips: ['body'] },
  {
    name: 'takes requests without required parameters',
    fits: ({ parameters }) => parameters.some(({ value }) => value.in === 'query' && value.required === true),
    skips: ['required parameters'],
  },
  {
    name: 'takes any parameters',
    fits: ({ parameters }) => parameters.some(({ value }) => value.in === 'query'),
    skips: ['parameters'],
  },
  {
    name: 'what was created is not there',
    fits: ({ method, path }, contract) => method === 'post' && isShown(path, contract),
    skips: ['store'],
  },
  { name: 'what was deleted is still there', fits: ({ method }) => method === 'delete', skips: ['delete'] },
  {
    name: 'what was changed stays as it was',
    fits: ({ method, path }, contract) => isOne({ path }) && /^(put|patch)$/.test(method) && isShown(path, contract),
    skips: ['update'],
  },
  {
    name: 'shows another than was asked for',
    fits: (one, contract) =>
      one.method === 'get' && isOne(one) && repliedSchemas(one).every((schema) => isThing(schema, contract)),
    answers: onFields((all) => {
      if ('id' in all)
        all['id'] = typeof all['id'] === 'number' ? all['id'] + 1 : '00000000-0000-4000-8000-000000000000';
    }),
  },
  {
    name: 'finds nothing',
    fits: isOne,
    answers: (reply) => (isSuccess(reply) ? { status: 404, body: { error: 'Not found.' } } : reply),
  },
  {
    name: 'refuses what is valid',
    fits: hasBody,
    answers: (reply) => (isSuccess(reply) ? { status: 400, body: { error: 'No.' } } : reply),
  },
];

function setAll(all: Record<string, unknown>, change: (value: unknown) => unknown): void {
  for (const [name, value] of Object.entries(all)) all[name] = change(value);
}
