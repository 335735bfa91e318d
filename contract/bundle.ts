import { basename } from 'node:path';
import type { Addresses } from './addresses.ts';
import type { Finding } from './checks/check.ts';
import type { Position } from './contract.ts';
import { DATA_FIELDS, namesItsFields } from './data-fields.ts';
import { fromPointer, isObject, pointerTo, referencePointer, valueAt } from './pointers.ts';
import type { Source } from './source.ts';
import { findSection } from './sections.ts';

/** A document into which all that it refers to in other files was taken. */
export interface Bundle {
  /** Where a pointer of the document was written, in whichever file. */
  locate(pointer: string): Position;
  /** References that lead to nothing. */
  problems: readonly Finding[];
  /** The other files, in the order in which they were met. */
  files: readonly string[];
}

/** Reads a document by its name; `undefined` where there is none that can be read. Throws a SpecError where it is no YAML. */
type ReadSource = (name: string) => Promise<Source | undefined>;

/** A part of the document that came from another file. */
interface Part {
  pointer: string;
  file: string;
  source: Source;
  /** Its pointer in that file. */
  origin: string;
}

/**
 * Takes what a document refers to in other files into it, each part once, in the section of its components that it belongs to. What is
 * referred to from a place that belongs to no section stays a reference.
 */
export async function bundle(addresses: Addresses, root: Source, read: ReadSource): Promise<Bundle> {
  const { own } = addresses;
  const sources = new Map<string, Source>();
  const placed = new Map<string, string>();
  const parts: Part[] = [];
  const problems: Finding[] = [];

  const load = async (path: string): Promise<Source | undefined> => {
    const source = sources.get(path) ?? (await read(addresses.name(path)));
    if (source !== undefined) sources.set(path, source);
    return source;
  };

  /** Follows the references in a part of the document that was written in the file `base`. */
  const visit = async (node: unknown, pointer: string, base: string): Promise<void> => {
    if (!isObject(node)) return;
    const reference = node['$ref'];
    if (typeof reference === 'string') await follow(node, reference, pointer, base);
    const isNameMap = namesItsFields(pointer);
    // Components first: what they name keeps that name.
    const fields = Object.keys(node).toSorted((a, b) => Number(b === 'components') - Number(a === 'components'));
    for (const field of fields) {
      const isData = !isNameMap && (DATA_FIELDS.has(field) || field.startsWith('x-'));
      if (!isData && field !== '$ref') await visit(node[field], pointerTo(pointer, field), base);
    }
  };

  const follow = async (
    node: Record<string, unknown>,
    reference: string,
    pointer: string,
    base: string,
  ): Promise<void> => {
    const [written = '', fragment = ''] = reference.split('#', 2);
    if (written === '' && base === own) return;
    const path = written === '' ? base : addresses.follow(base, written);
    if (path === undefined) return;
    if (path === own) {
      node['$ref'] = `#${fragment}`;
      return;
    }
    const section = findSection(pointer);
    if (section === undefined) return;
    const known = placed.get(`${path}#${fragment}`);
    if (known !== undefined) {
      node['$ref'] = known;
      return;
    }
    const source = await load(path);
    if (source === undefined) {
      const sentence = `"${reference}" leads to a file that can not be read; correct it, or add the file.`;
      problems.push({ pointer: pointerTo(pointer, '$ref'), sentence });
      return;
    }
    const origin = referencePointer(`#${fragment}`) ?? '';
    const value: unknown = structuredClone(valueAt(source.value, origin));
    if (!isObject(value)) {
      problems.push({
        pointer: pointerTo(pointer, '$ref'),
        sentence: `"${reference}" leads nowhere; correct it, or add what it names.`,
      });
      return;
    }
    // A path, and a component that is a reference as a whole, is taken in where it stands.
    const isWhole =
      section === 'paths' || (pointer.startsWith(`/components/${section}/`) && fromPointer(pointer).length === 3);
    const place = isWhole ? pointer : findPlace(root.value, section, origin === '' ? path : origin);
    parts.push({ pointer: place, file: path, source, origin });
    if (isWhole) {
      delete node['$ref'];
      Object.assign(node, value);
    } else {
      setComponent(root.value, place, value);
      node['$ref'] = toReference(place);
    }
    placed.set(`${path}#${fragment}`, toReference(place));
    await visit(isWhole ? node : value, place, path);
  };

  await visit(root.value, '', own);
  return {
    locate: (pointer) => {
      const part = findPart(parts, pointer);
      if (part === undefined) return root.locate(pointer);
      const position = part.source.locate(part.origin + pointer.slice(part.pointer.length));
      return { ...position, file: addresses.name(part.file) };
    },
    problems,
    files: [...sources.keys()],
  };
}

/** The innermost part in which a pointer lies; of those that are taken in at one place the last, to which the others lead. */
function findPart(parts: readonly Part[], pointer: string): Part | undefined {
  return parts
    .filter((part) => pointer === part.pointer || pointer.startsWith(`${part.pointer}/`))
    .toReversed()
    .toSorted((a, b) => b.pointer.length - a.pointer.length)[0];
}

/** A pointer as a reference: a path or a callback may have what no URL has. */
function toReference(pointer: string): string {
  return `#${pointer.split('/').map(encodeURIComponent).join('/')}`;
}

/** A place that is free, with the name of what is to stand there. */
function findPlace(document: unknown, section: string, path: string): string {
  const name = basename(path)
    .replace(/\.(?:ya?ml|json)$/, '')
    .replaceAll(/[^\w.-]/g, '_');
  let place = pointerTo('/components', section, name);
  for (let n = 2; valueAt(document, place) !== undefined; n += 1)
    place = pointerTo('/components', section, `${name}${n}`);
  return place;
}

function setComponent(document: unknown, place: string, value: unknown): void {
  let owner = document;
  const path = fromPointer(place);
  for (const segment of path.slice(0, -1)) {
    if (!isObject(owner)) return;
    owner = owner[segment] ??= {};
  }
  if (isObject(owner)) owner[path.at(-1) ?? ''] = value;
}
