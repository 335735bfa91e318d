import type { ComponentProps } from 'preact';
import { EMAIL_PATTERN, isEmail } from './email.ts';
import { Field } from './field.tsx';

interface EmailFieldProps extends Pick<
  ComponentProps<typeof Field>,
  'label' | 'hint' | 'name' | 'value' | 'readOnly' | 'autocomplete' | 'autofocus'
> {
  change: (email: string) => void;
}

/** Accepts every e-mail that the service does, unchanged; a browser's e-mail field rewrites domains and refuses some letters. */
export function EmailField({ label, change, ...input }: EmailFieldProps) {
  return (
    <Field
      {...input}
      label={label}
      required
      inputMode="email"
      pattern={EMAIL_PATTERN}
      title="Enter an e-mail, such as ada@example.com."
      maxLength={254}
      autocapitalize="none"
      spellcheck={false}
      onInput={({ currentTarget }) => {
        const text = currentTarget.value.trim();
        if (isEmail(text)) currentTarget.value = text;
        change(currentTarget.value);
      }}
    />
  );
}
