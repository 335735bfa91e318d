/** Fields whose value is data, not OpenAPI: a `$ref` or an `$id` in there is a field like any other. */
export const DATA_FIELDS: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'enum', 'const']);

/** The same for whoever looks into Example Objects too, whose `value` is data. */
export const DATA_FIELDS_OF_EXAMPLES: ReadonlySet<string> = new Set([...DATA_FIELDS, 'value']);

/** Whether the fields of what stands at a pointer are names that its author chose, which mean nothing by themselves. */
export function namesItsFields(pointer: string): boolean {
  return /\/(?:properties|patternProperties|schemas|\$defs)$/.test(pointer);
}
