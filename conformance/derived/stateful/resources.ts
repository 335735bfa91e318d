import { isJsonObject, type Json } from '@branchline/contract';
import { Failed, Skipped } from '../../engine/case.ts';
import { CaseContext } from '../../engine/case-context.ts';
import { isStub } from '../judge.ts';
import { sendCase } from '../send-case.ts';
import type { ContractSession } from '../session.ts';
import { findResourceParameters, type ResourceParameter, type Source } from './sources.ts';
import { parseJson, readIds } from './ids.ts';

/** Something that the server has, by the value of its path parameter. */
export interface Resource {
  readonly id: string;
  /** What the run itself sent to create it. */
  readonly sent: Json | undefined;
  /** What the server answered to that. */
  readonly body: Json | undefined;
  readonly isStub: boolean;
}

export interface Wanted {
  /** Values that are known already, beside those that hold for every operation. */
  readonly given: Record<string, string>;
  /** Of its own, so that it may be deleted. */
  readonly isFresh?: boolean;
  /** The parameter that a case is about, and that needs no value. */
  readonly tested?: string | undefined;
}

/** Gives path parameters values that the server itself told, in answers to operations that create or list. */
export class Resources {
  readonly #session: ContractSession;
  readonly #shared = new Map<string, Promise<Resource | undefined>>();
  /** By the operation that creates; never one twice, since another case may still use what it names. */
  readonly #chosenIds = new Map<string, Set<number>>();
  /** The path parameters that stand for what an operation creates. */
  #created: ReadonlyMap<string, ResourceParameter[]> | undefined;

  constructor(session: ContractSession) {
    this.#session = session;
  }

  /** The first of some ids for a new resource that its path takes and that was not chosen yet. */
  chooseId(operationId: string, ids: readonly number[]): number | undefined {
    this.#created ??= this.#groupByCreation();
    const chosen = this.#chosenIds.get(operationId) ?? new Set();
    this.#chosenIds.set(operationId, chosen);
    const parameters = this.#created.get(operationId) ?? [];
    const isFitting = (id: number): boolean => parameters.every((one) => this.#session.takes(one, String(id)));
    const id = ids.find((one) => !chosen.has(one) && isFitting(one));
    if (id !== undefined) chosen.add(id);
    return id;
  }

  #groupByCreation(): Map<string, ResourceParameter[]> {
    const paths = [...new Set(this.#session.operations.map(({ path }) => path))];
    const created = paths
      .flatMap((path) => this.parameters(path))
      .flatMap((parameter) =>
        parameter.sources
          .filter(({ kind }) => kind === 'create')
          .map(({ operation }): [string, ResourceParameter] => [operation.id, parameter]),
      );
    const groups = Map.groupBy(created, ([operationId]) => operationId);
    return new Map([...groups].map(([operationId, pairs]) => [operationId, pairs.map(([, parameter]) => parameter)]));
  }

  /** Values of the parameters of a path, as many as there are. */
  async supply(path: string, { given, isFresh = false, tested }: Wanted): Promise<Record<string, string>> {
    const general = this.#session.options.path ?? {};
    const values: Record<string, string> = { ...given };
    const parameters = this.parameters(path);
    for (const [index, parameter] of parameters.entries()) {
      const { name } = parameter;
      if (name === tested) break;
      if (Object.hasOwn(values, name)) continue;
      const created =
        isFresh && index === parameters.length - 1
          ? await this.create(parameter, { ...general, ...values })
          : undefined;
      const id = created?.id ?? general[name] ?? (await this.#share(parameter, { ...general, ...values }))?.id;
      if (id === undefined) break;
      values[name] = id;
    }
    return { ...general, ...values };
  }

  parameters(path: string): ResourceParameter[] {
    return findResourceParameters(this.#session.document, this.#session.operations, path);
  }

  /** Creates something that no other case knows of. */
  async create(
    parameter: ResourceParameter,
    outer: Record<string, string>,
    context?: CaseContext,
  ): Promise<Resource | undefined> {
    for (const source of parameter.sources) {
      const found =
        source.kind === 'create' ? await this.#ask(parameter, source, outer, { isFresh: true, context }) : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #share(parameter: ResourceParameter, outer: Record<string, string>): Promise<Resource | undefined> {
    const key = `${parameter.prefix} ${JSON.stringify(outer)}`;
    const found = this.#shared.get(key) ?? this.#findAny(parameter, outer);
    this.#shared.set(key, found);
    return found;
  }

  async #findAny(parameter: ResourceParameter, outer: Record<string, string>): Promise<Resource | undefined> {
    for (const source of parameter.sources) {
      const found = await this.#ask(parameter, source, outer, { isFresh: false });
      if (found !== undefined) return found;
    }
    // The contract's own example may have an id that its paths do not take.
    return this.create(parameter, outer);
  }

  /** Calls a source by its plainest valid request. Whatever it does wrong, its own cases show. */
  async #ask(
    parameter: ResourceParameter,
    source: Source,
    outer: Record<string, string>,
    {
      isFresh,
      context = new CaseContext(this.#session.sender),
    }: { isFresh: boolean; context?: CaseContext | undefined },
  ): Promise<Resource | undefined> {
    const one = this.#session.ordinaryCase(source.operation.id);
    const names = [...source.operation.path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);
    if (one === undefined || !names.every((name) => Object.hasOwn(outer, name))) return undefined;
    try {
      let { answer, sent } = await sendCase(this.#session, context, one, { path: outer, isFresh });
      // What differs from the contract's example may be refused for reasons that no schema tells.
      if (isFresh && answer.status >= 400)
        ({ answer, sent } = await sendCase(this.#session, context, one, { path: outer }));
      if (answer.status >= 300) return undefined;
      const id = readIds(parameter, source, { answer, sent }).find((value) => this.#session.takes(parameter, value));
      return id === undefined ? undefined : { id, sent, body: parseJson(answer), isStub: isStub(answer) };
    } catch (error) {
      if (error instanceof Skipped || error instanceof Failed) return undefined;
      throw error;
    }
  }
}

/** The fields of a JSON object; none of anything else. */
export function fieldsOf(value: Json | undefined): Record<string, Json> {
  return isJsonObject(value) ? value : {};
}
