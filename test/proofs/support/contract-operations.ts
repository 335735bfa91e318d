import contract from '../../../server/generated/contract.json' with { type: 'json' };

/** What the contract says of an operation, as far as requests can be made of it. */
export interface ContractOperation {
  id: string;
  method: string;
  /** With its parameters in braces. */
  path: string;
  /** Its query parameters, each with a value that is often right. */
  query: ReadonlyMap<string, string>;
  /** The names of those that every request has to have. */
  required: readonly string[];
  /** Whether whoever asks has to say who they are. */
  isSecured: boolean;
  /** An example of its body; undefined where it has none. */
  body: unknown;
}

/** Every operation of the contract. */
export function contractOperations(): ContractOperation[] {
  return Object.entries<object>(contract.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) => {
      if (operation.operationId === undefined) return [];
      return {
        id: operation.operationId,
        method: method.toUpperCase(),
        path,
        query: new Map(parametersIn(operation).map((one) => [one.name, one.sample])),
        required: parametersIn(operation).flatMap(({ name, isRequired }) => (isRequired ? [name] : [])),
        isSecured: operation.security?.length !== 0,
        body: exampleOf(operation.requestBody?.content['application/json']),
      };
    }),
  );
}

/** What stands at a reference, or the value itself. */
function resolve(value: unknown): object {
  const { $ref } = Object(value);
  if (typeof $ref !== 'string') return Object(value);
  return resolve(
    $ref
      .split('/')
      .slice(1)
      .reduce<unknown>((found, key) => Object(found)[key], contract),
  );
}

interface QueryParameter {
  name: string;
  sample: string;
  isRequired: boolean;
}

function parametersIn(operation: unknown): QueryParameter[] {
  const parameters: object[] = (Object(operation).parameters ?? []).map(resolve);
  const query = parameters.map((parameter) => Object(parameter)).filter((parameter) => parameter.in === 'query');
  return query.map(({ name, example, schema, required }) => ({
    name: String(name),
    sample: textOf(example ?? sampleOf(resolve(schema))),
    isRequired: required === true,
  }));
}

function sampleOf(schema: object): unknown {
  const { default: usual, enum: values, examples } = Object(schema);
  return usual ?? values?.[0] ?? examples?.[0] ?? 'a';
}

function textOf(value: unknown): string {
  return [value].flat().join(',');
}

function exampleOf(media: unknown): unknown {
  const { example, examples } = Object(media);
  const [first] = Object.values<object>(examples ?? {});
  return example ?? Object(first).value;
}
