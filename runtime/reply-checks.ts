import type { ValidateFunction } from 'ajv/dist/2020.js';
import type { FastifyRequest } from 'fastify';
import { contractSchemas, makeReference, type ContractSchemas } from './contract-schemas.ts';
import type { OperationPlan, ReplyDocument, ReplyMedia, ReplyPlan } from './plan.ts';
import type { AnyReply } from './replies.ts';
import { createTrimmer, type Trim } from './reply-trimming.ts';
import { chooseError, describeDemand } from './validation-errors.ts';

/** How replies are held to the contract. */
export interface ReplyOptions {
  /**
   * What becomes of a reply that does not keep to the contract: it is sent and nobody looks (`off`), it is sent and logged (`log`), or it
   * is logged and answered with 500 instead (`fail`). Left out: `off` where NODE_ENV is `production`, else `log`.
   */
  replies?: 'off' | 'log' | 'fail' | undefined;
  /** Sends only the properties that the contract documents, and none that are `writeOnly`. Defaults to false. */
  trimReplies?: boolean;
}

/** Loads what replies are checked by: the generated `replies.json`. */
export type LoadReplies = () => Promise<{ default: object }>;

/**
 * Looks at a reply before it is sent.
 *
 * @returns what is to be sent in its place.
 * @throws ReplyError where it must not be sent.
 */
export interface ReplyCheck {
  whole(request: FastifyRequest, answer: AnyReply, type: string | undefined): AnyReply;
  /** One item of a stream: the data of an event, say. */
  item(request: FastifyRequest, answer: AnyReply, type: string | undefined, item: unknown, index: number): unknown;
}

/** A reply that does not keep to the contract. What it got wrong is logged alone: it is nothing for a client. */
export class ReplyError extends Error {
  override name = 'ReplyError';
  readonly statusCode = 500;

  constructor() {
    super('The reply does not keep to the contract; the log says in what.');
  }
}

/** What is shared by the checks of all operations. */
interface Judge {
  mode: NonNullable<ReplyOptions['replies']>;
  schemas: ContractSchemas;
  compile(pointer: string): ValidateFunction | undefined;
  trim: Trim | undefined;
}

/**
 * Prepares the checks of replies; `undefined` where none are wanted. Nothing is loaded then.
 *
 * @throws Error where they are asked for, and the generated files do not have what they need.
 */
export async function prepareReplyChecks(
  { replies, trimReplies = false }: ReplyOptions,
  load: LoadReplies | undefined,
): Promise<((plan: OperationPlan) => ReplyCheck) | undefined> {
  const mode = replies ?? (process.env['NODE_ENV'] === 'production' || load === undefined ? 'off' : 'log');
  if (mode === 'off' && !trimReplies) return undefined;
  if (load === undefined)
    throw new Error('The generated files do not say what replies must be; make them again with "branchline generate".');
  const { operations, schemas: document } = (await load()).default as ReplyDocument;
  const schemas = contractSchemas(document);
  const trim = trimReplies ? createTrimmer(document) : undefined;
  const judge: Judge = { mode, schemas, compile: createCompiler(schemas), trim };
  return (plan) => createCheck(plan, operations[plan.id] ?? [], judge);
}

/** Compiles each schema once, when first a reply is to fit it. By one that can't be compiled nothing is checked. */
function createCompiler(schemas: ContractSchemas): Judge['compile'] {
  const known = new Map<string, ValidateFunction | undefined>();
  return (pointer) => {
    if (!known.has(pointer)) known.set(pointer, tryToCompile(schemas, pointer));
    return known.get(pointer);
  };
}

function tryToCompile(schemas: ContractSchemas, pointer: string): ValidateFunction | undefined {
  try {
    return schemas.compile(makeReference(pointer));
  } catch {
    return undefined;
  }
}

function createCheck({ id, method, path }: OperationPlan, plans: readonly ReplyPlan[], judge: Judge): ReplyCheck {
  const { mode, trim } = judge;

  /** @throws ReplyError where the reply must not be sent. */
  const report = ({ log }: FastifyRequest, status: number, problems: readonly string[]): void => {
    if (mode === 'off' || problems.length === 0) return;
    const sentence = `The reply ${status} of ${id} (${method} ${path}) does not keep to the contract: ${problems.join('; ')}.`;
    log[mode === 'fail' ? 'error' : 'warn']({ operation: id, status, problems }, sentence);
    if (mode === 'fail') throw new ReplyError();
  };

  /** What is wrong with a value, and what is to be sent in its place. */
  const inspect = (
    schema: string | undefined,
    value: unknown,
    subject: string,
  ): { problems: string[]; kept: unknown } => {
    if (schema === undefined || value === undefined) return { problems: [], kept: value };
    const sent: unknown = JSON.parse(JSON.stringify(value) ?? 'null');
    const kept = trim === undefined ? sent : trim(schema, sent);
    const problems = mode === 'off' ? [] : describeProblem(judge.compile(schema), kept, subject);
    return { problems, kept: trim === undefined ? value : kept };
  };

  return {
    whole(request, answer, type) {
      const { status, body } = answer;
      const plan = findPlan(plans, status);
      if (plan === undefined) {
        report(request, status, ['its status is not documented']);
        return answer;
      }
      const headers = checkHeaders(plan, answer, judge);
      if (method === 'HEAD' || body === undefined || plan.media.length === 0) {
        report(request, status, [...headers, ...checkPresence(method, plan, body)]);
        return answer;
      }
      const media = findMedia(plan, type);
      if (media === undefined) {
        report(request, status, [...headers, `its media type ${type} is not documented`]);
        return answer;
      }
      if (media.kind === 'items' || (media.kind !== 'json' && typeof body !== 'string')) {
        report(request, status, headers);
        return answer;
      }
      const { problems, kept } = inspect(media.schema, body, 'the body');
      report(request, status, [...headers, ...problems]);
      return trim === undefined ? answer : { ...answer, body: kept };
    },
    item(request, { status }, type, item, index) {
      const plan = findPlan(plans, status);
      const media = plan === undefined ? undefined : findMedia(plan, type);
      const { problems, kept } = inspect(media?.schema, item, `item ${index + 1}`);
      report(request, status, problems);
      return kept;
    },
  };
}

function findPlan(plans: readonly ReplyPlan[], status: number): ReplyPlan | undefined {
  const keys = [`${status}`, `${status}`.replace(/..$/, 'XX'), 'default'];
  return keys.flatMap((key) => plans.find((plan) => plan.status === key) ?? [])[0];
}

function findMedia({ media }: ReplyPlan, type: string | undefined): ReplyMedia | undefined {
  const [bare = ''] = (type ?? '').toLowerCase().split(';');
  const [family = ''] = bare.trim().split('/');
  const keys = [bare.trim(), `${family}/*`, '*/*'];
  return keys.flatMap((key) => media.find((one) => one.type === key) ?? [])[0];
}

function checkPresence(method: string, { media }: ReplyPlan, body: unknown): string[] {
  if (body !== undefined) return media.length === 0 ? ['it is documented without a body'] : [];
  return method === 'HEAD' || media.length === 0 ? [] : ['its body is missing'];
}

function checkHeaders(plan: ReplyPlan, { headers = {} }: AnyReply, { mode, schemas, compile }: Judge): string[] {
  if (mode === 'off') return [];
  const sent = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return plan.headers.flatMap(({ name, required, schema }) => {
    const value = sent.get(name.toLowerCase());
    if (value === undefined) return required ? [`the header "${name}" is missing`] : [];
    if (schema === undefined) return [];
    const read = typeof value === 'string' ? schemas.readText(schema, value) : value;
    return describeProblem(compile(schema), read, `the header "${name}"`);
  });
}

/** Names places and demands, and nothing of what is sent. */
function describeProblem(validate: ValidateFunction | undefined, value: unknown, subject: string): string[] {
  if (validate === undefined || validate(value)) return [];
  const error = chooseError(validate.errors);
  const place = error?.instancePath ?? '';
  return [`${subject}${place === '' ? '' : ` at ${place}`} ${describeDemand(error)}`];
}
