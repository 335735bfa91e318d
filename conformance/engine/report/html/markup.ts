/** Text that is HTML already. Only the templates below make it, so that nothing comes in unescaped. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = Markup | string | number | undefined | readonly Markup[];

/** A template of HTML: texts that are put in are escaped, for elements and for quoted attributes alike. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(String.raw({ raw: stripIndentation(strings) }, ...parts.map(render)));
}

/** Links within the page, by the ids that they lead to: a clause's, or a case's, which has a slash. */
export function linkList(ids: readonly string[]): Markup {
  return html`<p class="links">${ids.map((id) => html`<a href="#${id}">${id}</a>`)}</p>`;
}

const stripped = new WeakMap<TemplateStringsArray, readonly string[]>();

/** The indentation of templates would be a third of a page. */
function stripIndentation(strings: TemplateStringsArray): readonly string[] {
  const known = stripped.get(strings);
  if (known !== undefined) return known;
  const texts = strings.map((text) => text.replaceAll(/\n\s*/g, '\n'));
  stripped.set(strings, texts);
  return texts;
}

function render(part: Part): string {
  if (part === undefined) return '';
  if (part instanceof Markup) return part.text;
  if (typeof part === 'object') return part.map(({ text }) => text).join('\n');
  return escapeHtml(String(part));
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
/** Characters that HTML can't hold, and those that change the direction of text. */
const MISLEADING = /[^\P{Cc}\t\n\r]|\p{Cs}|[\u202A-\u202E\u2066-\u2069]/gu;

function escapeHtml(text: string): string {
  return text.replaceAll(MISLEADING, '\uFFFD').replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
