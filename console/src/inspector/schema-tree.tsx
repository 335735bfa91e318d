import type { components } from '../client/generated/types.ts';
import { numberText } from '../parts/numbers.ts';
import { ObservedText } from '../parts/observed-text.tsx';

type EventSchema = components['schemas']['EventSchema'];
type ElementSchema = components['schemas']['ElementSchema'];

/** Above this number, properties are collapsed. */
const MOST_SHOWN = 5;

/** The nested properties of a shape, with their types. */
export function SchemaTree({ schema }: { schema: EventSchema }) {
  if (schema.length === 0) return <span class="quiet">no properties</span>;
  if (schema.length <= MOST_SHOWN) return <Properties schema={schema} />;
  return (
    <details>
      <summary>{numberText(schema.length)} properties</summary>
      <Properties schema={schema} />
    </details>
  );
}

function Properties({ schema }: { schema: EventSchema }) {
  return (
    <ul class="schema">
      {schema.map((property) => (
        <li key={property.name}>
          <code>
            <ObservedText text={property.name} />
          </code>{' '}
          <Type of={property} />
        </li>
      ))}
    </ul>
  );
}

function Type({ of: { type, items = [], properties = [] } }: { of: ElementSchema }) {
  return (
    <>
      <span class="quiet">{type}</span>
      {items.length > 0 && (
        <ul class="schema">
          {items.map((item, index) => (
            <li key={index}>
              <Type of={item} />
            </li>
          ))}
        </ul>
      )}
      {properties.length > 0 && <Properties schema={properties} />}
    </>
  );
}
