import { numberText } from './numbers.ts';
import { visibleParts } from './visible-text.ts';

/** An arbitrary text from an app, isolated in its own direction, with invisible characters made visible. */
export function ObservedText({ text }: { text: string }) {
  if (text === '') return <span class="quiet">(empty)</span>;
  return (
    <bdi class="observed">
      {visibleParts(text).map((part, index) =>
        part.isCodePoint ? (
          <span key={index} class="code-point">
            {part.text}
          </span>
        ) : (
          part.text
        ),
      )}
    </bdi>
  );
}

/** The first few of many such texts. */
export function ObservedTexts({ texts, total }: { texts: readonly string[]; total: number }) {
  return (
    <ul class="observed-list">
      {texts.map((text) => (
        <li key={text}>
          <ObservedText text={text} />
        </li>
      ))}
      {total > texts.length && <li class="quiet">and {numberText(total - texts.length)} more</li>}
    </ul>
  );
}
