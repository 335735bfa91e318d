import { useId } from 'preact/hooks';
import { go, withQuery } from '../navigation/place.ts';

interface ChoiceFilterProps {
  label: string;
  /** Of the parameter in the address. */
  name: string;
  value: string;
  /** What can be chosen, by value; `''` stands for the parameter left out. */
  options: Readonly<Record<string, string>>;
}

/** One of a few, which stands in the address. */
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
