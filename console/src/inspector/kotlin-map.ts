import { escapeUnseen } from '../parts/visible-text.ts';
import type { DescribedProperty, DescribedType, ScalarType } from './described-schema.ts';

const CLASSES: Readonly<Record<ScalarType, string>> = {
  int: 'ServiceInt',
  float: 'ServiceFloat',
  boolean: 'ServiceBoolean',
  string: 'ServiceString',
  null: 'ServiceNull',
  unknown: 'ServiceUnknownType',
};

/** Writes an event's properties as a Kotlin map for the Inspector library, with each property's most frequent type. */
export function kotlinMapText(eventName: string, properties: readonly DescribedProperty[]): string {
  return `import app.service.inspector.ServiceEventSchemaType

val schema: Map<String, ServiceEventSchemaType> = ${mapText(properties, '')}

inspector.trackSchema(${quote(eventName)}, schema)`;
}

function mapText(properties: readonly DescribedProperty[], indent: string): string {
  if (properties.length === 0) return 'mapOf()';
  const deeper = `${indent}    `;
  const lines = properties.map(({ name, types: [first, ...others] }) => {
    const also = others.length === 0 ? '' : ` // also ${others.map(inWords).join(', ')}`;
    return `${deeper}${quote(name)} to ${typeText(first ?? { type: 'unknown' }, deeper)},${also}\n`;
  });
  return `mapOf(\n${lines.join('')}${indent})`;
}

function typeText(described: DescribedType, indent: string): string {
  if ('properties' in described) return constructor('ServiceObject', mapText(described.properties, indent));
  if ('elements' in described) {
    const elements = described.elements.map((element) => typeText(element, indent));
    return constructor('ServiceList', `setOf(${elements.join(', ')})`);
  }
  return constructor(CLASSES[described.type]);
}

function constructor(name: string, argument = ''): string {
  return `ServiceEventSchemaType.${name}(${argument})`;
}

function inWords(described: DescribedType): string {
  return 'elements' in described ? `list<${described.elements.map(inWords).join('|')}>` : described.type;
}

function quote(text: string): string {
  return `"${escapeUnseen(text.replaceAll(/[\\"$]/g, String.raw`\$&`))}"`;
}
