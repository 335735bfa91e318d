/** Text as a string literal of Kotlin. */
export function quote(text: string): string {
  return `"${escapeText(text)}"`;
}

/** Text as it stands between the quotes of a literal of Kotlin. */
export function escapeText(text: string): string {
  return text
    .replaceAll(/["\\$]/g, String.raw`\$&`)
    .replaceAll(
      /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
}

/**
 * Writes the literals of the names that only openapi-generator knows the places of. The templates give the bytes of each with its
 * quotes, where a line begins: no text in a comment or a literal stands there. `@SerialName([34 97 34 ])` → `@SerialName("a")`.
 */
export function writeNames(text: string): string {
  return text.replaceAll(
    /^( *(?:@SerialName|request\.\w+)\()\[([-\d ]+)\]/gm,
    (_, head: string, bytes: string) => head + quote(readBytes(bytes).slice(1, -1)),
  );
}

/** The bytes of Java have a sign. */
function readBytes(bytes: string): string {
  return Buffer.from(Int8Array.from(bytes.trim().split(' ').map(Number)).buffer).toString('utf8');
}
