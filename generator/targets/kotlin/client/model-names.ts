import { isObject } from '@branchline/contract';

/**
 * Names that Kotlin's every file or the client's own files need for themselves, and those that openapi-generator takes for a type of
 * its own, whatever a contract describes under them. In small letters, since it looks at them so.
 */
const TAKEN = new Set(
  [
    'Annotation Any Array Boolean Byte ByteArray Char CharSequence Collection Comparable Double Enum Error Exception Float Function',
    'Int Integer Iterable Iterator List Long Map Nothing Number Pair Result Sequence Set Short String Throwable Triple Unit',
    'AnyType BigDecimal Binary Date DateTime Decimal File Instant LocalDate LocalDateTime LocalTime Object OffsetDateTime',
    'Type URI URL Url UUID',
    'ContentType Headers HttpClient HttpMethod HttpRequest HttpRequestBuilder HttpResponse HttpStatusCode OutgoingContent Parameters',
    'TextContent ByteArrayContent Json JsonArray JsonElement JsonNull JsonObject JsonPrimitive KSerializer SerialName Serializable',
    'ApiClient ApiException ApiRequest BasicCredentials Credentials',
  ]
    .join(' ')
    .toLowerCase()
    .split(' '),
);

/** The schemas of a document that can't keep their names, each with the one that its class gets. */
export function renameTaken(names: readonly string[]): Map<string, string> {
  const given = new Set(names.map(toClassName));
  const renamed = new Map<string, string>();
  for (const name of names) {
    const wanted = toClassName(name);
    if (!TAKEN.has(wanted.toLowerCase())) continue;
    let free = `${wanted}Model`;
    for (let n = 2; given.has(free); n += 1) free = `${wanted}Model${n}`;
    given.add(free);
    renamed.set(name, free);
  }
  return renamed;
}

/** A document in which references lead to schemas by their new names. */
export function renameReferences<T>(document: T, names: ReadonlyMap<string, string>): T {
  const renamed: T = JSON.parse(JSON.stringify(document), (key, value: unknown) => {
    if (key === '$ref' && typeof value === 'string') return renameReference(value, names);
    if (key !== 'schemas' || !isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, schema]) => [names.get(name) ?? name, schema]));
  });
  return renamed;
}

function renameReference(reference: string, names: ReadonlyMap<string, string>): string {
  const [, name = ''] = /^#\/components\/schemas\/([^/]+)$/.exec(reference) ?? [];
  const renamed = names.get(decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~'));
  return renamed === undefined ? reference : `#/components/schemas/${renamed}`;
}

/** `date-time` → `DateTime` */
function toClassName(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
