import type { AllHTMLAttributes, ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';

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
  | 'autofocus'
  | 'inputMode'
  | 'pattern'
  | 'title'
  | 'onInput'
  | 'aria-invalid';

interface FieldProps extends Pick<AllHTMLAttributes<HTMLInputElement>, InputAttribute> {
  value: string;
  type?: 'text' | 'password' | 'number';
  label: string;
  /** A note below the label. */
  hint?: ComponentChildren;
}

/** A labelled input. Validation errors appear below it, like the server's errors, instead of in the browser's bubble. */
export function Field({ label, hint, type = 'text', onInput, ...input }: FieldProps) {
  const id = useId();
  const ref = useRef<HTMLInputElement>(null);
  const [mistake, setMistake] = useState('');
  useLayoutEffect(() => {
    if (input.autofocus === true) ref.current?.focus();
  }, []);
  const about = [hint !== undefined && `${id}-hint`, mistake !== '' && `${id}-mistake`].filter((one) => one !== false);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <input
        ref={ref}
        id={id}
        // Preact's types need to know which element it is; both accept the same attributes.
        type={type as 'text'}
        {...(about.length > 0 && { 'aria-describedby': about.join(' ') })}
        {...input}
        {...(mistake !== '' && { 'aria-invalid': true })}
        onInput={(event) => {
          setMistake('');
          onInput?.(event);
        }}
        onInvalid={(event) => {
          event.preventDefault();
          const { currentTarget } = event;
          setMistake(currentTarget.validity.patternMismatch ? currentTarget.title : currentTarget.validationMessage);
          if (currentTarget.form?.querySelector('input:invalid') === currentTarget) currentTarget.focus();
        }}
      />
      {mistake !== '' && (
        <p class="mistake" id={`${id}-mistake`}>
          {mistake}
        </p>
      )}
    </div>
  );
}
