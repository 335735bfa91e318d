/** What a service sends may be of any length; the JSON report has more of it. */
const MAX_SENTENCE = 300;

export function truncate(sentence: string): string {
  return sentence.length > MAX_SENTENCE ? `${sentence.slice(0, MAX_SENTENCE)}…` : sentence;
}
