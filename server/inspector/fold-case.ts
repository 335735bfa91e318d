/**
 * The text as it is compared where case is ignored. In lower case alone a sigma at the end of a word is another letter than within one,
 * so a name would not contain its own beginning.
 */
export function foldCase(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ');
}
