/**
 * A header's value as it is sent: an object as its names and values with commas between (OpenAPI 3.1, style `simple`; RFC 6570, section
 * 3.2.2), or as `name=value` where it is exploded. Anything else stays as it is; of a list Node sends a line for each item.
 */
export function writeHeader(value: unknown, isExploded: boolean): unknown {
  if (!isPlainObject(value)) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return fields.map(([name, field]) => `${name}${isExploded ? '=' : ','}${String(field)}`).join(',');
}

function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
