import { useRef, useState } from 'preact/hooks';
import { api } from '../client/api.ts';
import type { components } from '../client/generated/types.ts';
import { succeed } from '../client/problem.ts';
import { Copyable } from '../parts/copyable.tsx';
import { Field } from '../parts/field.tsx';
import { FormDialog } from '../parts/form-dialog.tsx';
import { ShownOnce } from '../parts/shown-once.tsx';
import { KeyLines } from './key-lines.tsx';

export type CreatedKey = components['schemas']['CreatedApiKey'];

interface CreateKeyProps {
  workspaceId: string;
  done: (created: CreatedKey) => void;
  close: () => void;
}

/** A form that asks which app a new key is for. */
export function CreateKey({ workspaceId, done, close }: CreateKeyProps) {
  const [source, setSource] = useState('');
  const [percent, setPercent] = useState('100');
  const created = useRef<CreatedKey>(undefined);
  return (
    <FormDialog
      title="Create an API key"
      verb="Create key"
      perform={async () => {
        const body = { source, samplingRate: Number(percent) / 100 };
        created.current = (await succeed(api.createApiKey({ params: { workspaceId }, body }))).body;
      }}
      done={() => created.current !== undefined && done(created.current)}
      close={close}
    >
      <Field
        label="Source"
        hint="The app that the key ships in, such as android-shop."
        value={source}
        required
        maxLength={100}
        autocomplete="off"
        onInput={({ currentTarget }) => setSource(currentTarget.value)}
      />
      <Field
        label="Sampling, in percent"
        hint="The share of events that the app should report."
        type="number"
        min={0}
        max={100}
        step="any"
        value={percent}
        required
        onInput={({ currentTarget }) => setPercent(currentTarget.value)}
      />
    </FormDialog>
  );
}

/** Shows a new key, only once, with everything needed to use it. */
export function NewKey({ created: { apiKey, text }, close }: { created: CreatedKey; close: () => void }) {
  return (
    <ShownOnce title={`API key of ${apiKey.source}`} close={close}>
      <p>The key is shown only once. Store it where the app is built.</p>
      <Copyable name="API key" text={text} />
      <KeyLines apiKey={text} />
    </ShownOnce>
  );
}
