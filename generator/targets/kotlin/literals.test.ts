import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Contract, loadContract } from '@branchline/contract';
import { describeUnless } from '../../../test/support/describe-unless.ts';
import { contractFrom } from '../../testing/served-contract.ts';
import { findMissingJavaTool } from './java-tools.ts';
import { kotlinTarget } from './kotlin-target.ts';
import { quote } from './literals.ts';
import { readKotlin, type KotlinParts } from './testing/read-kotlin.ts';

const hostile = [
  '" + evil() + "',
  '\\" + evil() + "',
  '${evil()}',
  '\\${evil()}',
  '\n evil() \n',
  '\r evil() \r',
  '*/ evil() /*',
  '\u2028 evil() \u2029',
  '\u0000 evil() \u001F\f\v',
  '`evil()`',
  "') evil() ('",
  'evil() [34 41 34 ] é 名 🚂 \\',
];

test('a text is one literal, whatever it holds', () => {
  const part = fc.constantFrom('"', '\\', '$', '{a}', '\n', '\u2028', '\u0085', '\u202E', '\f', '/*', 'u0041', 'a');
  fc.assert(
    fc.property(fc.array(fc.oneof(part, fc.string({ unit: 'binary' }))), (parts) => {
      const literal = quote(parts.join(''));
      expect(literal).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u);
      expect(literal).not.toMatch(/(?<!\\)(?:\\\\)*\\[^tbnr"\\$u]/);
      expect(readKotlin(literal)).toEqual({ code: '  ', literals: [parts.join('')] });
    }),
    { seed: 1 },
  );
});

describeUnless(findMissingJavaTool(), 'a contract from elsewhere', () => {
  test('puts no code into a client, and its names stay what they are', async () => {
    const { code, literals } = await readTarget(await contractFrom(makeHostileDocument()));
    expect(code).not.toMatch(/evil\s*\(/);
    expect(new Set(code.match(/\$[^\s:]*/g))).toEqual(new Set(['$name', '$status', '$body']));
    for (const [index, text] of hostile.entries()) {
      const paths = [makePath(text), simplify(text)];
      const places = [`scheme ${text}`, `key ${text}`, `enum ${text}`, `listed ${text}`, `part ${text}`];
      const fields = [
        `plain ${text}`,
        `choice ${text}`,
        `inner ${index} ${text}`,
        `referred ${text}`,
        `choices ${text}`,
      ];
      const parameters = [`query ${text}`, `X-${text}`, `cookie ${text}`, `text/${simplify(text)}`];
      expect(literals).toEqual(expect.arrayContaining([...paths, ...places, ...fields, ...parameters]));
    }
  });

  test('puts no code into an Inspector library either', async () => {
    const own = await loadContract(fileURLToPath(new URL('../../../openapi.yaml', import.meta.url)));
    const document = structuredClone(own.document) as unknown as InspectorDocument;
    const url = 'https://example.com/\\';
    const text = hostile.join(' ');
    document.servers = [{ url }];
    for (const scheme of Object.values(document.components.securitySchemes)) if ('in' in scheme) scheme.name = text;
    const { Batch, BatchReceipt } = document.components.schemas;
    for (const { properties, required } of [Batch, BatchReceipt]) {
      properties[`must ${text}`] = { type: 'string' };
      properties[`may ${text}`] = { type: 'string', description: text };
      required.push(`must ${text}`);
    }
    const { code, literals } = await readTarget(await contractFrom(document));
    expect(code).not.toMatch(/evil\s*\(|\$/);
    expect(literals).toEqual(expect.arrayContaining([url, text, `must ${text}`, `may ${text}`]));
  });
});

interface InspectorDocument {
  servers: { url: string }[];
  components: {
    securitySchemes: Record<string, { name?: string }>;
    schemas: Record<'Batch' | 'BatchReceipt', { properties: Record<string, object>; required: string[] }>;
  };
}

async function readTarget(contract: Contract): Promise<KotlinParts> {
  const files = await kotlinTarget.files(contract, () => Promise.resolve(undefined));
  const read = files.filter(({ path }) => path.endsWith('.kt')).map(({ text }) => readKotlin(text));
  return { code: read.map(({ code }) => code).join('\n'), literals: read.flatMap(({ literals }) => literals) };
}

/** A contract with hostile texts wherever one can be. */
function makeHostileDocument(): object {
  const all = hostile.join(' ');
  return {
    openapi: '3.1.0',
    info: { title: all, version: all, description: all },
    servers: [{ url: `https://example.com/${all}` }],
    security: hostile.map((text) => ({ [`scheme ${text}`]: [] })),
    paths: Object.fromEntries(hostile.map((text, index) => [makePath(text), makeHostilePath(text, index)])),
    components: {
      securitySchemes: Object.fromEntries(
        hostile.map((text, index) => [
          `scheme ${text}`,
          { type: 'apiKey', in: ['header', 'query', 'cookie'][index % 3], name: `key ${text}`, description: text },
        ]),
      ),
      schemas: {
        Choice: { type: 'string', description: all, enum: hostile.map((text) => `enum ${text}`) },
        Whole: {
          type: 'object',
          description: all,
          required: hostile.map((text) => `plain ${text}`),
          properties: Object.fromEntries(hostile.flatMap(listHostileFields)),
        },
      },
    },
  };
}

function makePath(text: string): string {
  return `/${simplify(text)}/{${simplify(text)}}`;
}

/** Without what no path and no media type can have in it. */
function simplify(text: string): string {
  return text.replaceAll(/[{}*/]/g, '');
}

function listHostileFields(text: string, index: number): [string, object][] {
  const inner = { type: 'object', properties: { [`part ${text}`]: { type: 'string', pattern: text } } };
  const listed = { type: 'string', enum: [`listed ${text}`] };
  return [
    [`plain ${text}`, { type: 'string', description: text, default: text, format: text, pattern: text }],
    [`choice ${text}`, listed],
    [`choices ${text}`, { type: 'array', items: listed }],
    [`inner ${index} ${text}`, inner],
    [`referred ${text}`, { $ref: '#/components/schemas/Choice' }],
  ];
}

function makeHostilePath(text: string, index: number): object {
  const schema = { type: 'string', default: text, enum: [text], pattern: text };
  return {
    post: {
      operationId: `call ${index} ${text}`,
      tags: [`tag ${index} ${text}`],
      summary: text,
      description: text,
      parameters: [
        { name: simplify(text), in: 'path', required: true, schema },
        { name: `query ${text}`, in: 'query', description: text, schema: { type: 'array', items: schema } },
        { name: `X-${text}`, in: 'header', schema },
        { name: `cookie ${text}`, in: 'cookie', schema },
      ],
      requestBody: { description: text, content: { [`text/${simplify(text)}`]: { schema } } },
      responses: {
        200: {
          description: text,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Whole' } } },
        },
      },
    },
  };
}
