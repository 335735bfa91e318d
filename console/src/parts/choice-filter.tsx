import { useId } from 'preact/hooks';
import { go, withQuery } from '../navigation/place.ts';

interface ChoiceFilterProps {
  label: string;
  /** The name of the URL parameter. */
  name: string;
  value: string;
  /** The choices by value; `''` means no parameter. */
  options: Readonly<Record<string, string>>;
}

/** A filter with a few choices, kept in the URL. */
export function ChoiceFilter({ label, name, value, options }: ChoiceFilterProps) {
  const id = useId();
  return (
    <div class="filter">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={({ currentTarget }) => go(withQuery({ [name]: currentTarget.value }))}>
        {Object.entries(options).map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}
