import type { components } from '../client/generated/types.ts';
import { Fact } from '../parts/fact.tsx';
import { Time, TimeOrNever } from '../parts/time.tsx';

type Branch = components['schemas']['Branch'];

/** The details of a branch, as in its row of the export. */
export function Facts({ branch }: { branch: Branch }) {
  return (
    <section aria-labelledby="facts">
      <h2 id="facts">Facts</h2>
      <dl class="facts">
        <Fact name="Created">
          <Time of={branch.creationDate} />
        </Fact>
        <Fact name="Creator">
          {branch.branchCreatorEmail}
          <code class="quiet">{branch.branchCreatorId}</code>
        </Fact>
        <Fact name="Ready for review">
          <When date={branch.markedReadyForReviewDate} by={branch.markedReadyForReviewerUserEmail} />
        </Fact>
        <Fact name="Last published">
          <TimeOrNever of={branch.lastPublishedDate} />
        </Fact>
        <Fact name="Merged">
          <When date={branch.branchMergedDate} by={branch.branchMergedUserEmail} />
        </Fact>
        <Fact name="Id">
          <code>{branch.branchId}</code>
        </Fact>
      </dl>
    </section>
  );
}

function When({ date, by }: { date: string | null; by: string | null }) {
  return (
    <>
      <TimeOrNever of={date} />
      {by !== null && <span class="quiet"> by {by}</span>}
    </>
  );
}
