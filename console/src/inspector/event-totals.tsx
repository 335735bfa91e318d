import type { components } from '../client/generated/types.ts';
import { Fact } from '../parts/fact.tsx';
import { numberText } from '../parts/numbers.ts';
import { ObservedTexts } from '../parts/observed-text.tsx';
import { Time } from '../parts/time.tsx';
import { IssuesLink } from '../issues/issues-link.tsx';

interface EventTotalsProps {
  workspaceId: string;
  summary: components['schemas']['EventSummary'];
}

/** The totals of an event. */
export function EventTotals({ workspaceId, summary }: EventTotalsProps) {
  const { count, shapes, sources, environments, appVersions, firstSeen, lastSeen } = summary;
  return (
    <section aria-labelledby="totals">
      <h2 id="totals">Totals</h2>
      <dl class="facts">
        <Fact name="Count">{numberText(count)}</Fact>
        <Fact name="Shapes">
          {numberText(shapes)} {sources.total > 1 && <span class="quiet">summed over the sources</span>}
        </Fact>
        <Fact name="Open issues">
          <IssuesLink workspaceId={workspaceId} summary={summary} />
        </Fact>
        <Fact name="Sources">
          <ObservedTexts texts={sources.names} total={sources.total} />
        </Fact>
        <Fact name="Environments">{environments.join(', ')}</Fact>
        <Fact name="App versions">
          <ObservedTexts texts={appVersions.newest} total={appVersions.total} />
        </Fact>
        <Fact name="First seen">
          <Time of={firstSeen} />
        </Fact>
        <Fact name="Last seen">
          <Time of={lastSeen} />
        </Fact>
      </dl>
    </section>
  );
}
