import { type Contract, findItemwiseArrays, type Operation } from '@branchline/contract';
import { remember } from '../../remember.ts';
import { directSchemas } from '../../typescript/directed-schemas.ts';
import { printDescription, printTitle } from '../../typescript/operation-comments.ts';
import { escapeComment } from '../../comments.ts';
import { printPropertyName, quote } from '../../typescript/code.ts';
import { listReplyAlternatives, nameReplyType } from './reply-types.ts';
import { listBodyMembers, listRequestMembers, nameRequestType } from './request-types.ts';
import type { Declaration, InterfaceDeclaration, TypeDeclaration } from '../../typescript/declarations.ts';
import { importModels, type Models } from '../../typescript/models.ts';
import { STATUS_TYPES } from '../../typescript/status-types.ts';

/**
 * The types that hand-written code must fit: requests, replies, handlers and security handlers.
 *
 * @param runtime - What the file imports the runtime from.
 * @param models - Learn which names of theirs the file uses.
 */
export async function printHandlers(contract: Contract, runtime: string, models: Models): Promise<string> {
  const { operations } = contract;
  const declarations = [
    ...common,
    describePrincipals(contract),
    ...operations.flatMap((operation) => [
      describeRequest(contract, models, operation),
      describeReply(contract, models, operation),
    ]),
    describeHandlers(operations),
    describeInvalidBodyHandlers(operations),
    describeSecurityHandlers(contract),
    describeItems(contract),
  ];
  const text = await remember('handlers', declarations, async () => {
    // It brings a TypeScript compiler of its own along.
    const { printDeclarations } = await import('../../typescript/declarations.ts');
    return printDeclarations(declarations);
  });
  const imported = ['components', 'operations'].filter((name) => text.includes(`${name}[`));
  const imports = [
    "import type { FastifyRequest } from 'fastify';",
    `import type { ${['ContractError', ...['Events', 'ItemStream'].filter((name) => text.includes(`${name}<`))].join(', ')} } from '${runtime}';`,
    ...(imported.length > 0 ? [`import type { ${imported.join(', ')} } from './types.ts';`] : []),
  ];
  const used = imports.filter((line) =>
    /\{ ([A-Za-z, ]+) \}/
      .exec(line)?.[1]
      ?.split(', ')
      .some((name) => text.includes(name)),
  );
  return `${[...used, ...importModels(text)].join('\n')}\n\n${text}`;
}

const P = [{ name: 'P', constraint: 'Principals', default: 'Principals' }];
/** The same, where nothing depends on it. */
const unusedP = [{ name: '_P', constraint: 'Principals', default: 'Principals' }];

function describeAlias(name: string, type: string, doc: string, typeParameters = ''): TypeDeclaration {
  return {
    kind: 'TypeAlias',
    isExported: true,
    name: name + typeParameters,
    type,
    docs: [doc],
  };
}

const common: Declaration[] = [
  ...STATUS_TYPES.map(([name, type, doc]) => describeAlias(name, type, doc)),
  describeAlias(
    'Text',
    'string | AsyncIterable<string | Uint8Array>',
    'A text body: whole, or in chunks as it is made.',
  ),
  describeAlias('Bytes', 'Uint8Array | AsyncIterable<Uint8Array>', 'A binary body: whole, or in chunks as it is made.'),
  describeAlias('Nothing', 'Readonly<Record<never, never>>', 'The contract documents nothing here.'),
  describeAlias(
    'Verified',
    'Pick<P, Proven> & { [Scheme in Exclude<Possible, Proven>]?: undefined }',
    'One alternative of an operation with several: the schemes that were proven have a principal, the others none.',
    '<P, Proven extends keyof P, Possible extends keyof P>',
  ),
  describeAlias(
    'Unchecked',
    "Omit<Request, 'body' | 'type'> & { body: unknown }",
    'A request whose body is missing (`undefined`), unreadable (`undefined`) or does not fit its schema.',
    '<Request>',
  ),
];

function describePrincipals({ operations }: Contract): InterfaceDeclaration {
  return {
    kind: 'Interface',
    isExported: true,
    name: 'Principals',
    docs: ['Who a request comes from, by security scheme. Extend it to say what your security handlers give.'],
    properties: findUsedSchemes(operations).map((scheme) => ({ name: printPropertyName(scheme), type: 'unknown' })),
  };
}

function findUsedSchemes(operations: readonly Operation[]): string[] {
  return [...new Set(operations.flatMap(({ security }) => security.flatMap(Object.keys)))];
}

function describeRequest(contract: Contract, models: Models, operation: Operation): Declaration {
  const members = listRequestMembers(operation);
  const bodies = listBodyMembers(contract, models, operation);
  const docs = [`A valid, authenticated request for ${printTitle(operation)}.`];
  const [only = { type: undefined, body: 'undefined' }, ...more] = bodies;
  if (more.length === 0) {
    const properties = [...members, ['body', only.body] as const].map(([name, type]) => ({ name, type }));
    return {
      kind: 'Interface',
      isExported: true,
      name: nameRequestType(operation),
      typeParameters: P,
      docs,
      properties,
    };
  }
  const fixed = members.map(([name, type]) => `  ${name}: ${type};\n`).join('');
  const alternatives = bodies.map(({ type, body }) => `\n  | { type: ${type}; body: ${body} }`).join('');
  return {
    kind: 'TypeAlias',
    isExported: true,
    name: nameRequestType(operation),
    typeParameters: P,
    docs,
    type: `{\n${fixed}} & (${alternatives}\n)`,
  };
}

function describeReply(contract: Contract, models: Models, operation: Operation): TypeDeclaration {
  const alternatives = listReplyAlternatives(contract, models, operation).map((alternative) => `\n  | ${alternative}`);
  return describeAlias(
    nameReplyType(operation),
    alternatives.join(''),
    `What the contract lets ${printTitle(operation)} answer.`,
  );
}

function describeHandlers(operations: readonly Operation[]): InterfaceDeclaration {
  return {
    kind: 'Interface',
    isExported: true,
    name: 'Handlers',
    typeParameters: operations.length > 0 ? P : unusedP,
    docs: ['The hand-written side of the contract: one function an operation.'],
    methods: operations.map((operation) => ({
      name: operation.id,
      parameters: [{ name: 'request', type: `${nameRequestType(operation)}<P>` }],
      returnType: printReturnType(operation),
      docs: [printDescription(operation)],
    })),
  };
}

function describeInvalidBodyHandlers(operations: readonly Operation[]): InterfaceDeclaration {
  const withBody = operations.filter(({ requestBody }) => requestBody !== undefined);
  return {
    kind: 'Interface',
    isExported: true,
    name: 'InvalidBodyHandlers',
    typeParameters: withBody.length > 0 ? P : unusedP,
    docs: [
      'For operations that answer a missing, malformed or invalid body with a reply of their own instead of an error.',
    ],
    methods: withBody.map((operation) => ({
      name: operation.id,
      hasQuestionToken: true,
      parameters: [
        { name: 'request', type: `Unchecked<${nameRequestType(operation)}<P>>` },
        { name: 'problem', type: 'ContractError' },
      ],
      returnType: printReturnType(operation),
    })),
  };
}

function printReturnType(operation: Operation): string {
  const replyType = nameReplyType(operation);
  return `${replyType} | Promise<${replyType}>`;
}

function describeSecurityHandlers({ operations, securitySchemes }: Contract): InterfaceDeclaration {
  const schemes = findUsedSchemes(operations);
  return {
    kind: 'Interface',
    isExported: true,
    name: 'SecurityHandlers',
    typeParameters: schemes.length > 0 ? P : unusedP,
    docs: [
      'One function a security scheme: says who the request comes from, or throws an error with a `statusCode` of 401 or 403 to refuse it.',
    ],
    methods: schemes.map((scheme) => {
      const principal = `P[${quote(scheme)}]`;
      const doc = escapeComment(securitySchemes.get(scheme)?.description ?? '');
      return {
        name: printPropertyName(scheme),
        parameters: [
          { name: 'request', type: 'FastifyRequest' },
          { name: 'scopes', type: 'readonly string[]' },
        ],
        returnType: `${principal} | Promise<${principal}>`,
        docs: doc === '' ? [] : [doc],
      };
    }),
  };
}

function describeItems({ document }: Contract): InterfaceDeclaration {
  const names = new Set(findItemwiseArrays(document).flatMap(({ name }) => name ?? []));
  return {
    kind: 'Interface',
    isExported: true,
    name: 'Items',
    docs: [
      'The items that handlers judge one by one (`x-branchline-each`), by the name of their schema; see `checkItem`.',
    ],
    properties: [...names].map((name) => ({
      name: printPropertyName(name),
      type: `components['schemas'][${quote(directSchemas(document).nameInRequests(name))}]`,
    })),
  };
}
