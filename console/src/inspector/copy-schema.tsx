import { Copyable } from '../parts/copyable.tsx';
import { Dialog } from '../parts/dialog.tsx';
import type { ComponentChildren } from 'preact';
import type { DescribedProperty } from './described-schema.ts';
import { jsonSchemaText } from './json-schema.ts';
import { kotlinMapText } from './kotlin-map.ts';

interface CopySchemaProps {
  title: string;
  eventName: string;
  /** Undefined while loading. */
  properties: readonly DescribedProperty[] | undefined;
  close: () => void;
  /** Notes about the properties. */
  children?: ComponentChildren;
}

/** Offers an event's properties for copying, as JSON Schema or a Kotlin map. */
export function CopySchema({ title, eventName, properties, close, children }: CopySchemaProps) {
  return (
    <Dialog title={title} close={close}>
      {children}
      {properties !== undefined && (
        <>
          <h3>JSON Schema</h3>
          <Copyable name="JSON Schema" text={jsonSchemaText(eventName, properties)} />
          <h3>Kotlin map</h3>
          <Copyable name="Kotlin map" text={kotlinMapText(eventName, properties)} />
        </>
      )}
      <div class="actions">
        <button type="button" class="primary" onClick={close}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
