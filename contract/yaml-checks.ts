import { type Document, isNode, isScalar, visit, YAMLParseError } from 'yaml';

/** Far more than anybody writes; the library looks for what each of them means among all of them. */
const MOST_ALIASES = 2_000;

/**
 * The keys that are written twice in a map, which the library would find by comparing each with each other one; and that there are too
 * many aliases.
 */
export function checkYaml(document: Document): YAMLParseError[] {
  const errors: YAMLParseError[] = [];
  const tell = (node: unknown, code: YAMLParseError['code'], message: string): void => {
    const offset = readOffset(node) ?? 0;
    errors.push(new YAMLParseError([offset, offset + 1], code, message));
  };
  let aliases = 0;
  visit(document, {
    Map: (_key, { items }) => {
      const known = new Set<unknown>();
      for (const { key } of items) {
        const name = isScalar(key) ? key.value : key;
        if (known.has(name)) tell(key, 'DUPLICATE_KEY', 'Map keys must be unique');
        known.add(name);
      }
    },
    Alias: (_key, alias) => {
      aliases += 1;
      if (aliases !== MOST_ALIASES + 1) return;
      const most = MOST_ALIASES.toLocaleString('en');
      tell(
        alias,
        'BAD_ALIAS',
        `It has more than ${most} aliases; write what is repeated as components, and refer to it by "$ref"`,
      );
    },
  });
  return errors;
}

/** Where a node begins in the text. */
export function readOffset(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined;
}
