import {
  type Case,
  type CaseFile,
  type ContractDocument,
  examineResponses,
  type OpenApiDocument,
  type Operation,
  readOperations,
  type ResponseExamination,
  type SchemaValidators,
  schemaValidators,
  toPointer,
  toRequestSchemas,
} from '@branchline/contract';
import type { CaseContext } from '../engine/case-context.ts';
import { Chance } from '../engine/chance.ts';
import { openTransport } from '../engine/http/transport.ts';
import { Redactor } from '../engine/redact/redactor.ts';
import { listSecretHeaders } from '../engine/redact/secret-headers.ts';
import { createPace } from '../engine/schedule/pace.ts';
import { Sender } from '../engine/schedule/sender.ts';
import { listSecrets, listWrong } from './credentials.ts';
import type { RunOptions, Target } from './options.ts';
import type { Asked } from './prepare-case.ts';
import { References } from './stateful/references.ts';
import { Resources } from './stateful/resources.ts';
import { USER_AGENT } from './tool.ts';

const CONCURRENCY = 4;

/** What the cases of one run share: the contract, the way to the server, and what is known of its resources. */
export class ContractSession {
  readonly file: CaseFile;
  readonly document: OpenApiDocument;
  readonly operations: readonly Operation[];
  readonly target: Target;
  readonly options: RunOptions;
  readonly concurrency: number;
  readonly chance: Chance;
  /** Of what has to be unique: a run with the seed of another must not find it taken. */
  readonly novelty = new Chance();
  readonly redactor: Redactor;
  readonly sender: Sender;
  readonly examine: ResponseExamination;
  /** Of what requests may hold. */
  readonly requestSchemas: SchemaValidators;
  readonly resources: Resources;
  readonly references: References;
  /** What the caller answered for the case that runs in a context. */
  readonly preparations = new WeakMap<CaseContext, Promise<Asked>>();
  readonly #byId: ReadonlyMap<string, Operation>;
  readonly #ordinary: ReadonlyMap<string, Case>;
  readonly #texts: SchemaValidators;
  readonly #close: () => void;
  readonly #purposes = new Map<string, number>();

  constructor(file: CaseFile, document: ContractDocument, target: Target, options: RunOptions, signal: AbortSignal) {
    const { concurrency = CONCURRENCY, paceMs = 0, timeLimitMs, connection, headers, seed, variables } = options;
    this.file = file;
    this.document = document as OpenApiDocument;
    this.operations = readOperations(this.document);
    this.target = target;
    this.options = options;
    this.concurrency = concurrency;
    this.chance = new Chance(seed);
    this.examine = examineResponses(document);
    this.requestSchemas = schemaValidators(toRequestSchemas(this.document));
    this.#texts = schemaValidators(this.document, { fromText: true });
    const secretHeaders = listSecretHeaders(headers);
    this.redactor = new Redactor({
      secrets: [...listSecrets(target.credentials ?? {}), ...secretHeaders.map(([value]) => value)],
      shown: listWrong(target.credentials ?? {}),
      variables: new Map([...secretHeaders, ...(variables ?? [])]),
    });
    const transport = openTransport(connection, concurrency);
    const pace = createPace(paceMs > 0 ? 1_000 / paceMs : undefined);
    this.sender = new Sender({
      baseUrl: target.baseUrl,
      userAgent: USER_AGENT,
      record: (outgoing, outcome) => this.redactor.record(outgoing, outcome),
      // One pace for all operations.
      pace: () => pace('all'),
      timeoutMs: timeLimitMs,
      concurrency,
      transport,
      signal,
      ...(headers === undefined ? {} : { headers }),
    });
    this.resources = new Resources(this);
    this.references = new References(this);
    this.#byId = new Map(this.operations.map((operation) => [operation.id, operation]));
    const plain = file.cases.filter(({ mistake, varies }) => mistake === undefined && varies.in === 'nothing');
    this.#ordinary = new Map(plain.toReversed().map((one) => [one.operationId, one]));
    this.#close = () => transport.close();
  }

  close(): void {
    this.#close();
  }

  operation(id: string): Operation | undefined {
    return this.#byId.get(id);
  }

  /** Whether a value fits the schema of a path parameter. */
  takes({ name, prefix }: { name: string; prefix: string }, value: string): boolean {
    const here = this.operations.find(({ path }) => path === prefix || path.startsWith(`${prefix}/`));
    const parameter = here?.parameters.find((one) => one.value.in === 'path' && one.value.name === name);
    if (parameter?.value.schema === undefined) return true;
    return this.#texts(parameter.pointer + toPointer(['schema']))(value);
  }

  /** What each value that a case makes up is for: it is another one each time. */
  nextPurpose(caseId: string): string {
    const count = (this.#purposes.get(caseId) ?? 0) + 1;
    this.#purposes.set(caseId, count);
    return `${caseId} ${count}`;
  }

  /** The plainest valid request of an operation. */
  ordinaryCase(operationId: string): Case | undefined {
    return this.#ordinary.get(operationId);
  }
}
