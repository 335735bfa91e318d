import type { AllHTMLAttributes, ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

type InputAttribute =
  | 'name'
  | 'required'
  | 'readOnly'
  | 'minLength'
  | 'maxLength'
  | 'min'
  | 'max'
  | 'step'
  | 'autocomplete'
  | 'autocapitalize'
  | 'spellcheck'
  | 'inputMode'
  | 'pattern'
  | 'title'
  | 'onInput'
  | 'aria-invalid';

interface FieldProps extends Pick<AllHTMLAttributes<HTMLInputElement>, InputAttribute> {
  value: string;
  type?: 'text' | 'password' | 'number';
  label: string;
  /** Said below the label. */
  hint?: ComponentChildren;
}

/** A labelled input. */
export function Field({ label, hint, type = 'text', ...input }: FieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <input
        id={id}
        // Preact's types want to know which one it is; these take the same attributes.
        type={type as 'text'}
        {...(hint !== undefined && { 'aria-describedby': `${id}-hint` })}
        {...input}
      />
    </div>
  );
}
