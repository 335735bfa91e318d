import { useEffect, useId, useState } from 'preact/hooks';
import { go, withQuery } from '../navigation/place.ts';

interface TextFilterProps {
  label: string;
  /** The name of the URL parameter. */
  name: string;
  value: string;
  placeholder: string;
  maxLength: number;
  /** The kind of on-screen keyboard. Defaults to `search`. */
  inputMode?: 'search' | 'email';
  /** The suggested values. */
  suggestions?: readonly string[];
  /** Whether the list can be filtered by a text; until then it stays as it is. Defaults to any text. */
  accepts?: (text: string) => boolean;
}

/** The pause in typing, in milliseconds, before the list is filtered. */
const PAUSE_MS = 350;

/** A text filter of a list, kept in the URL. */
export function TextFilter({
  label,
  name,
  value,
  placeholder,
  maxLength,
  inputMode = 'search',
  suggestions = [],
  accepts = () => true,
}: TextFilterProps) {
  const id = useId();
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  useEffect(() => {
    if (typed === value || (typed !== '' && !accepts(typed))) return;
    const timer = setTimeout(() => go(withQuery({ [name]: typed }), { replace: value !== '' }), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <div class="filter">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="search"
        value={typed}
        placeholder={placeholder}
        maxLength={maxLength}
        inputMode={inputMode}
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        list={suggestions.length > 0 ? `${id}-list` : undefined}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      {suggestions.length > 0 && (
        <datalist id={`${id}-list`}>
          {suggestions.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
    </div>
  );
}
