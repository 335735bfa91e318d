import { type Contract, type DocumentedResponse, isObject, type Operation, type Schema } from '@branchline/contract';
import { quote } from './code.ts';
import { type DirectedSchemas, directSchemas } from './directed-schemas.ts';
import { classifyMediaType } from './media-types.ts';
import { createTypeNames, isTypeName } from './type-names.ts';

/** What the generated code calls the module. */
const MODULE = 'models';

/** A body as the contract documents it, and its type in `types.ts`. */
export interface DocumentedBody {
  mediaType: string;
  schema: Schema | undefined;
  documented: string;
}

/**
 * The short names of a contract's schemas and bodies, and the module that declares them, `models.ts`. A body has the name of the schema
 * that it refers to, or one of its own: that of a shared response, or of its operation and status.
 */
export class Models {
  readonly #directed: DirectedSchemas;
  readonly #give = createTypeNames();
  /** By the name of the schema in the contract. */
  readonly #schemas = new Map<string, string>();
  /** The names of bodies by what they stand for; several have one name where the contract shares a response. */
  readonly #bodies = new Map<string, string>();
  readonly #declarations: { name: string; type: string }[] = [];

  constructor(contract: Contract) {
    this.#directed = directSchemas(contract.document);
    const names = Object.keys(this.#directed.schemas);
    // Who is well named keeps the name, whoever comes first.
    for (const name of [...names.filter(isTypeName), ...names.filter((one) => !isTypeName(one))]) {
      this.#schemas.set(name, this.#give(name));
    }
    for (const [schema, name] of this.#schemas)
      this.#declarations.push({ name, type: `components['schemas'][${quote(schema)}]` });
  }

  nameRequest({ id }: Operation, body: DocumentedBody): string {
    // The files of a form have another type there than in the schema.
    const named = classifyMediaType(body.mediaType) === 'multipart' ? undefined : readReference(body.schema);
    const variant = named && this.#directed.nameInRequests(named);
    return this.#name(variant, body.documented, `${id} Body`, body);
  }

  nameReply({ id }: Operation, { status, pointer }: DocumentedResponse, body: DocumentedBody): string {
    const shared = /^\/components\/responses\/([^/]+)$/.exec(pointer)?.[1];
    const key = shared === undefined ? body.documented : `${pointer} ${body.mediaType}`;
    return this.#name(readReference(body.schema), key, shared ?? `${id} ${status} Body`, body);
  }

  /** The module's text. */
  print(): string {
    const imported = ['components', 'operations'].filter((name) =>
      this.#declarations.some(({ type }) => type.includes(`${name}[`)),
    );
    const imports = imported.length === 0 ? [] : [`import type { ${imported.join(', ')} } from './types.ts';`, ''];
    const lines = this.#declarations.map(({ name, type }) => `export type ${name} = ${type};`);
    return `${[...imports, ...lines].join('\n')}\n`;
  }

  /** @param named - The schema that the body refers to. */
  #name(named: string | undefined, key: string, wanted: string, { documented }: DocumentedBody): string {
    const known = (named === undefined ? undefined : this.#schemas.get(named)) ?? this.#bodies.get(key);
    if (known !== undefined) return `${MODULE}.${known}`;
    const name = this.#give(wanted);
    this.#bodies.set(key, name);
    this.#declarations.push({ name, type: documented });
    return `${MODULE}.${name}`;
  }
}

/**
 * The lines by which code that uses a name of theirs imports the models.
 *
 * @param folder - Theirs, relative to that of the code.
 */
export function importModels(code: string, folder = './'): string[] {
  return new RegExp(`[ <(]${MODULE}\\.\\p{L}`, 'u').test(code)
    ? [`import type * as ${MODULE} from '${folder}models.ts';`]
    : [];
}

/** The schema that one is no more than a reference to. */
function readReference(schema: Schema | undefined): string | undefined {
  if (!isObject(schema)) return undefined;
  const others = Object.keys(schema).filter((key) => !['$ref', 'summary', 'description'].includes(key));
  const segment = /^#\/components\/schemas\/([^/]+)$/.exec(String(schema['$ref']))?.[1];
  return others.length > 0 ? undefined : segment?.replaceAll('~1', '/').replaceAll('~0', '~');
}
