import { isDeepStrictEqual } from 'node:util';
import type { Case, Operation } from '@branchline/contract';
import type { ConformanceCase } from '../../engine/case.ts';
import type { CaseContext } from '../../engine/case-context.ts';
import type { Answer } from '../../engine/http/client.ts';
import { describeUnexpectedStatus } from '../../engine/status-sentences.ts';
import { isStub, judge } from '../judge.ts';
import { askCaller } from '../prepare-case.ts';
import { sendCase, type SentCase, type SendOptions } from '../send-case.ts';
import type { ContractSession } from '../session.ts';
import { findIdField, parseJson } from './ids.ts';
import { fieldsOf, type Resource } from './resources.ts';
import type { ResourceParameter } from './sources.ts';

/** The operations on one kind of resource. */
interface Lifecycle {
  readonly parameter: ResourceParameter;
  readonly create: Operation;
  readonly read: Operation;
  readonly updates: readonly Operation[];
  readonly remove: Operation | undefined;
}

/** What a server has to keep: what was created is there, what was changed is changed, and what was deleted is gone. */
export function makeScenarios(session: ContractSession): ConformanceCase[] {
  return findLifecycles(session).flatMap((lifecycle) => {
    const { create, read, updates, remove } = lifecycle;
    const scenario = (id: string, title: string, run: Run): ConformanceCase => ({
      id,
      clauses: [],
      level: 'required',
      title,
      run: async (context) =>
        run(session, context, lifecycle, await createFor(session, context, lifecycle, { id, title })),
    });
    return [
      scenario(`${create.id}/scenario/read`, `${name(read)} shows what ${name(create)} has created.`, readBack),
      ...updates.map((update) =>
        scenario(
          `${update.id}/scenario/update`,
          `${name(read)} shows what ${name(update)} has changed.`,
          (...created) => readUpdate(...created, update),
        ),
      ),
      ...(remove === undefined
        ? []
        : [
            scenario(
              `${remove.id}/scenario/gone`,
              `${name(read)} shows no more what ${name(remove)} has deleted.`,
              (...created) => readDeleted(...created, remove),
            ),
          ]),
    ];
  });
}

function findLifecycles(session: ContractSession): Lifecycle[] {
  const { operations, resources } = session;
  const isCallable = ({ id }: Operation): boolean => session.ordinaryCase(id) !== undefined;
  const paths = [...new Set(operations.map(({ path }) => path).filter((path) => /\/\{[^{}/]+\}$/.test(path)))];
  return paths.flatMap((path) => {
    const here = operations.filter((operation) => operation.path === path && isCallable(operation));
    const parameter = resources.parameters(path).at(-1);
    const create = parameter?.sources.find(
      ({ kind, operation }) => kind === 'create' && isCallable(operation),
    )?.operation;
    const read = here.find(({ method }) => method === 'get');
    if (parameter === undefined || create === undefined || read === undefined) return [];
    const updates = here.filter(({ method }) => method === 'put' || method === 'patch');
    return [{ parameter, create, read, updates, remove: here.find(({ method }) => method === 'delete') }];
  });
}

/** What a scenario does once there is something to do it with. */
type Run = (session: ContractSession, context: CaseContext, lifecycle: Lifecycle, created: Created) => Promise<void>;

async function readBack(
  session: ContractSession,
  context: CaseContext,
  lifecycle: Lifecycle,
  { resource, path }: Created,
): Promise<void> {
  const { answer } = await read(session, context, lifecycle, { path });
  demandFound(context, lifecycle, answer);
  const body = fieldsOf(parseJson(answer));
  demandId(context, lifecycle, resource, body);
  const sent = Object.entries(fieldsOf(resource.sent));
  const changed = sent.filter(([field, value]) => Object.hasOwn(body, field) && !isDeepStrictEqual(body[field], value));
  for (const [field] of changed)
    context.warnings.push(`${name(lifecycle.read)} does not show the field "${field}" as it was sent.`);
}

async function readUpdate(
  session: ContractSession,
  context: CaseContext,
  lifecycle: Lifecycle,
  { path }: Created,
  update: Operation,
): Promise<void> {
  const before = await read(session, context, lifecycle, { path });
  demandFound(context, lifecycle, before.answer);
  const { answer, sent } = await send(session, context, update, { path, isFresh: true });
  demandKnown(context, lifecycle, answer);
  if (answer.status >= 300 || answer.status === 202) context.skip(`The update was answered ${answer.status}.`);
  const after = await read(session, context, lifecycle, { path });
  demandFound(context, lifecycle, after.answer);
  const [then, now] = [fieldsOf(parseJson(before.answer)), fieldsOf(parseJson(after.answer))];
  const meant = Object.entries(fieldsOf(sent)).filter(
    ([field, value]) =>
      Object.hasOwn(then, field) && Object.hasOwn(now, field) && !isDeepStrictEqual(then[field], value),
  );
  const ignored = meant.filter(([field]) => isDeepStrictEqual(then[field], now[field])).map(([field]) => `"${field}"`);
  if (ignored.length === 0) return;
  const sentence = `${name(update)} was answered ${answer.status}, and changed nothing in ${ignored.join(', ')}.`;
  if (ignored.length === meant.length) context.demand([sentence]);
  context.warnings.push(sentence);
}

async function readDeleted(
  session: ContractSession,
  context: CaseContext,
  lifecycle: Lifecycle,
  { path }: Created,
  remove: Operation,
): Promise<void> {
  const { answer } = await send(session, context, remove, { path });
  demandKnown(context, lifecycle, answer);
  if (answer.status >= 300 || answer.status === 202) context.skip(`The deletion was answered ${answer.status}.`);
  const gone = await read(session, context, lifecycle, { path });
  if (gone.answer.status >= 300) return;
  context.demand([describeUnexpectedStatus('404 or 410', gone.answer.status, ` for what ${name(remove)} has deleted`)]);
}

interface Created {
  readonly resource: Resource;
  /** Of its parameter and the outer ones. */
  readonly path: Record<string, string>;
}

/** Creates what a scenario is about. The caller is asked what that needs, and no more: all else is about what was created. */
async function createFor(
  session: ContractSession,
  context: CaseContext,
  { parameter, create: operation }: Lifecycle,
  scenario: Pick<Case, 'id' | 'title'>,
): Promise<Created> {
  const one = session.ordinaryCase(operation.id);
  const asked = one === undefined ? undefined : await askCaller(session, context, { ...one, ...scenario });
  const outer = await session.resources.supply(operation.path, { given: { ...asked?.path } });
  const resource = await session.resources.create(parameter, outer, context);
  if (resource === undefined)
    return context.skip(
      `Nothing could be created by ${name(operation)}, or no id of it was found; --before-case can give what it needs.`,
    );
  if (resource.isStub) context.skip('Answered by a stub, which keeps nothing.');
  return { resource, path: { ...outer, [parameter.name]: resource.id } };
}

/** The ordinary request of an operation. */
async function send(
  session: ContractSession,
  context: CaseContext,
  operation: Operation,
  options: SendOptions,
): Promise<SentCase & { one: Case }> {
  const one = session.ordinaryCase(operation.id);
  if (one === undefined) return context.skip(`No valid request of ${name(operation)} could be made.`);
  return { ...(await sendCase(session, context, one, options)), one };
}

/** Reads a resource; what is wrong in the answer itself fails the case. */
async function read(
  session: ContractSession,
  context: CaseContext,
  lifecycle: Lifecycle,
  options: SendOptions,
): Promise<SentCase> {
  const sent = await send(session, context, lifecycle.read, options);
  if (isStub(sent.answer)) context.skip('Answered by a stub, which keeps nothing.');
  const { problems, warnings } = judge(sent.one, sent.answer, session.examine, { isKnown: false });
  context.warnings.push(...warnings);
  context.demand(problems);
  return sent;
}

function demandFound(context: CaseContext, lifecycle: Lifecycle, answer: Answer): void {
  demandKnown(context, lifecycle, answer);
  if (answer.status >= 300) context.skip(`${name(lifecycle.read)} was answered ${answer.status}.`);
}

function demandKnown(context: CaseContext, { create: operation }: Lifecycle, { status }: Answer): void {
  if (status !== 404 && status !== 410) return;
  context.demand([describeUnexpectedStatus('2XX', status, ` for what ${name(operation)} has just created`)]);
}

/** A resource says the same id wherever it says one. */
function demandId(
  context: CaseContext,
  { parameter, read: operation }: Lifecycle,
  { id, body: created }: Resource,
  body: ReturnType<typeof fieldsOf>,
): void {
  const field = findIdField(parameter, created) ?? parameter.name;
  const isId = created === undefined || String(fieldsOf(created)[field]) === id;
  if (!isId || !Object.hasOwn(body, field) || String(body[field]) === id) return;
  context.demand([`${name(operation)} shows another "${field}" than it was asked for.`]);
}

function name({ method, path }: Operation): string {
  return `${method.toUpperCase()} ${path}`;
}
