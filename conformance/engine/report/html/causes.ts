import type { Report } from '../../result.ts';
import { type Cause, groupByCause } from '../causes.ts';
import { STANDING_WORDS, formatCaseCount } from '../standing.ts';
import { exchangeSection } from './exchange.ts';
import { type Markup, html, linkList } from './markup.ts';
import type { Room } from './room.ts';
import { truncate } from './truncate.ts';

/** A service that fails in more ways than these has other worries. */
const MAX_CAUSES = 50;
const MAX_LINKS = 8;

/** Why cases failed: what counts first, then the largest cause, each with an example. */
export function causeSection(report: Report, room: Room): Markup | undefined {
  const causes = groupByCause(report);
  if (causes.length === 0) return undefined;
  const left = causes.length - MAX_CAUSES;
  return html`<section>
    <h2 id="causes">Causes of the failures</h2>
    ${causes.slice(0, MAX_CAUSES).map((cause) => describeCause(cause, room))}
    ${left > 0 ? html`<p>and ${left} more, of a case or a few each: they stand below.</p>` : undefined}
  </section>`;
}

function describeCause({ standing, problem, operation, results, clauses, example }: Cause, room: Room): Markup {
  const last = example.exchanges.at(-1);
  const where = operation === undefined ? '' : ` of ${operation}`;
  const ids = results.map(({ id }) => id).slice(0, MAX_LINKS);
  const left = results.length - ids.length;
  const cases = html`<details>
    <summary>For example ${example.id}: ${example.title}</summary>
    ${linkList(ids)} ${left > 0 ? html`<p>and ${left} more, below</p>` : undefined}
  </details>`;
  return html`<article class="cause">
    <h3>
      <span class="standing ${standing}">${formatCaseCount(results.length)}${where} ${STANDING_WORDS[standing]}:</span>
      ${truncate(problem)}
    </h3>
    ${linkList(clauses)} ${results.length === 1 ? linkList(ids) : cases}
    ${last === undefined ? undefined : room.take(exchangeSection(last))}
  </article>`;
}
