import { isObject, type OpenApiDocument, relaxPart, relaxRequired, type Schema } from '@branchline/contract';

/** Schemas as each direction sees them: what only the other direction holds is not required. */
export interface DirectedSchemas {
  /** The named schemas as replies hold them; beside them, as `NameRequest`, those that are others in requests. */
  schemas: Record<string, Schema>;
  /** The name of a named schema as requests hold it. */
  nameInRequests(name: string): string;
  /** The content of a request body. */
  forRequest(content: object): object;
  /** The content of a reply. */
  forReply(content: object): object;
}

const COMPONENTS = '#/components/schemas/';

/** Of documents, which are not changed any more: they are asked for again for each body that has a name. */
const known = new WeakMap<OpenApiDocument, DirectedSchemas>();

export function directSchemas(document: OpenApiDocument): DirectedSchemas {
  const directed = known.get(document) ?? makeDirected(document);
  known.set(document, directed);
  return directed;
}

function makeDirected(document: OpenApiDocument): DirectedSchemas {
  const request = readSchemas(relaxRequired(document, 'readOnly'));
  const reply = readSchemas(relaxRequired(document, 'writeOnly'));
  const names = nameVariants(request, reply);
  const relax = (content: object, mark: 'readOnly' | 'writeOnly'): object =>
    request === reply ? content : relaxPart(document, mark, content);
  const variants = [...names].map(([name, variant]) => [variant, renameReferences(request[name] ?? true, names)]);
  return {
    schemas: { ...reply, ...Object.fromEntries(variants) },
    nameInRequests: (name) => names.get(name) ?? name,
    forRequest: (content) => renameReferences(relax(content, 'readOnly'), names),
    forReply: (content) => relax(content, 'writeOnly'),
  };
}

/** The schemas that are others in requests than in replies, or refer to one that is; with a name that none has. */
function nameVariants(
  request: Readonly<Record<string, Schema>>,
  reply: Readonly<Record<string, Schema>>,
): Map<string, string> {
  if (request === reply) return new Map();
  const texts = Object.entries(request).map(([name, schema]): [string, string] => [name, JSON.stringify(schema)]);
  const found = new Set(texts.filter(([name, text]) => text !== JSON.stringify(reply[name])).map(([name]) => name));
  // A set goes on to what is added to it meanwhile.
  for (const one of found) {
    const reference = JSON.stringify(COMPONENTS + escapeSegment(one));
    for (const [name, text] of texts) if (text.includes(reference)) found.add(name);
  }
  const variants = new Map<string, string>();
  for (const name of Object.keys(request).filter((one) => found.has(one))) {
    let variant = `${name}Request`;
    for (let n = 2; variant in request; n += 1) variant = `${name}Request${n}`;
    variants.set(name, variant);
  }
  return variants;
}

/** References and the mappings of discriminators lead to the variants. */
function renameReferences<T>(value: T, names: ReadonlyMap<string, string>): T {
  if (names.size === 0) return value;
  const references = new Map(
    [...names].map(([name, variant]) => [COMPONENTS + escapeSegment(name), COMPONENTS + escapeSegment(variant)]),
  );
  const renamed: T = JSON.parse(JSON.stringify(value), (key, member: unknown) => {
    if (key === '$ref' && typeof member === 'string') return references.get(member) ?? member;
    if (key !== 'mapping' || !isObject(member)) return member;
    return Object.fromEntries(
      Object.entries(member).map(([meant, target]) => [
        meant,
        references.get(String(target)) ?? references.get(COMPONENTS + escapeSegment(String(target))) ?? target,
      ]),
    );
  });
  return renamed;
}

const NONE: Readonly<Record<string, Schema>> = {};

function readSchemas({ components }: OpenApiDocument): Readonly<Record<string, Schema>> {
  return components?.schemas ?? NONE;
}

function escapeSegment(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
