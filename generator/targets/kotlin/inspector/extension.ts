import { Ajv2020 } from 'ajv/dist/2020.js';
import { type Contract, describeError, SpecError } from '@branchline/contract';
import { EXTENSION } from '../asks-for-inspector.ts';

/** What `x-branchline-inspector` holds, as far as Kotlin is made of it. */
export interface InspectorExtension {
  /** The package of the public classes. */
  packageName: string;
  /** The package of all others; not below `packageName`, whose keep rule would cover it. */
  internalPackageName: string;
  libraryName: string;
  libraryVersion: string;
  environments: Environment[];
  schemaTypes: SchemaType[];
  debuggerModes: string[];
  endpointMetaData: string;
  /** `operationId` of what takes the batches. */
  ingestOperation: string;
  /** What the setters of the library take. */
  setters: { batchSize: Bounds; batchFlushSeconds: Bounds };
  limits: Record<string, number>;
  queue: Record<string, number>;
  retry: Record<string, number>;
}

export interface Environment {
  constant: string;
  wireName: string;
  batchSize: number;
  batchFlushSeconds: number;
  logging: boolean;
  visualInspector: boolean;
  'x-branchline-origin'?: Origin;
}

/** Where a rule comes from: a section of a document, or a decision. */
export interface Origin {
  document?: string;
  section?: string;
  reason?: string;
}

export interface SchemaType {
  constant: string;
  wireName: string;
  /** What a type holds that is made of others: the `subtypes` of a list, the `children` of an object. */
  holds?: 'subtypes' | 'children';
}

export interface Bounds {
  minimum: number;
  maximum: number;
}

const constant = { type: 'string', pattern: '^[A-Z][A-Za-z0-9_]*$' };
const packageName = { type: 'string', pattern: '^[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*)*$' };
const wireName = { type: 'string', pattern: '^[A-Za-z0-9_-]+$' };
const text = { type: 'string', pattern: '^[^"$\\\\\\p{Cc}]+$' };
const whole = { type: 'integer', minimum: 0, maximum: 2 ** 31 - 1 };
const limits = { type: 'object', propertyNames: { pattern: '^[a-z][A-Za-z0-9]*$' }, additionalProperties: whole };
const origin = object({}, { document: { type: 'string' }, section: { type: 'string' }, reason: { type: 'string' } });
const bounds = object({ minimum: whole, maximum: whole });

const isExtension = new Ajv2020({ strict: true }).compile<InspectorExtension>(
  object({
    packageName,
    internalPackageName: packageName,
    libraryName: text,
    libraryVersion: text,
    environments: list(
      object(
        {
          constant,
          wireName,
          batchSize: whole,
          batchFlushSeconds: whole,
          logging: { type: 'boolean' },
          visualInspector: { type: 'boolean' },
        },
        { 'x-branchline-origin': origin },
      ),
    ),
    schemaTypes: list(object({ constant, wireName }, { holds: { enum: ['subtypes', 'children'] } })),
    debuggerModes: list(constant),
    endpointMetaData: text,
    ingestOperation: { type: 'string' },
    setters: object({ batchSize: bounds, batchFlushSeconds: bounds }),
    limits,
    queue: limits,
    retry: limits,
  }),
);

function object(required: Record<string, object>, optional: Record<string, object> = {}): object {
  return { type: 'object', required: Object.keys(required), properties: { ...required, ...optional } };
}

function list(items: object): object {
  return { type: 'array', minItems: 1, items };
}

/**
 * What the contract says of the Inspector library.
 *
 * @throws SpecError where it says too little, or something that Kotlin can't be made of.
 */
export function readInspectorExtension(contract: Contract): InspectorExtension {
  const value = contract.document[EXTENSION];
  if (isExtension(value)) return value;
  throw new SpecError(
    contract.source,
    (isExtension.errors ?? []).map((error) => {
      const pointer = `/${EXTENSION}${error.instancePath}`;
      return { position: contract.locate(pointer), sentence: `"${pointer.slice(1)}" ${describeError(error)}.` };
    }),
  );
}
