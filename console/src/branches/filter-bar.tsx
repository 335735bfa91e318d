import { useEffect, useId, useState } from 'preact/hooks';
import type { components } from '../client/generated/types.ts';
import { go, withQuery } from '../navigation/place.ts';
import { ChoiceFilter } from '../parts/choice-filter.tsx';
import { numberText } from '../parts/numbers.ts';
import { isEmail } from '../parts/email.ts';
import { TextFilter } from '../parts/text-filter.tsx';
import { type Filters, isFiltered } from './filters.ts';
import { Status } from './status.tsx';
import { type BranchStatus, STATUSES } from './statuses.ts';

type Counts = components['schemas']['BranchCounts']['counts'];

/** Counts stop above this number. */
const MOST_COUNTED = 10_000;

interface FilterBarProps {
  filters: Filters;
  counts: Counts | undefined;
  /** The creators of the branches shown. */
  creators: readonly Creator[];
  /** The id behind “Me”. The URL contains the id, so that a shared link shows others the same list. */
  userId: string;
}

type Creator = Pick<components['schemas']['Branch'], 'branchCreatorId' | 'branchCreatorEmail'>;

/** The filters of the list. Every change is a new URL. */
export function FilterBar({ filters, counts, creators, userId }: FilterBarProps) {
  return (
    <search class="filters" aria-label="Filter branches">
      <StatusChips chosen={filters.statuses} counts={counts} />
      <div class="filter-row">
        <TextFilter label="Name" name="text" value={filters.text} placeholder="part of a name" maxLength={255} />
        <CreatorFilter value={filters.creator} creators={creators} userId={userId} />
        <TextFilter
          label="Collaborator"
          name="collaborator"
          value={filters.collaborator}
          placeholder="such as ada@example.com"
          maxLength={254}
          inputMode="email"
          accepts={isEmail}
        />
        <ChoiceFilter
          label="Order"
          name="sort"
          value={filters.sort === 'oldest' ? 'oldest' : ''}
          options={{ '': 'Newest first', oldest: 'Oldest first' }}
        />
        {isFiltered(filters) && (
          <a
            class="button"
            href={withQuery({ status: undefined, creator: undefined, collaborator: undefined, text: undefined })}
          >
            Clear filters
          </a>
        )}
      </div>
    </search>
  );
}

function StatusChips({ chosen, counts }: { chosen: readonly BranchStatus[]; counts: Counts | undefined }) {
  function toggle(status: BranchStatus): void {
    const others = chosen.filter((one) => one !== status);
    go(withQuery({ status: others.length === chosen.length ? [...chosen, status] : others }));
  }
  return (
    <fieldset class="chips">
      <legend class="unseen">Status</legend>
      {STATUSES.map((status) => (
        <label key={status} class="chip">
          <input type="checkbox" checked={chosen.includes(status)} onChange={() => toggle(status)} />
          <Status status={status} />
          {counts !== undefined && <span class="count">{countText(counts[status])}</span>}
        </label>
      ))}
    </fieldset>
  );
}

function countText(count: number): string {
  return count > MOST_COUNTED ? `${numberText(MOST_COUNTED)}+` : numberText(count);
}

interface CreatorFilterProps extends Pick<FilterBarProps, 'creators' | 'userId'> {
  value: string;
}

function CreatorFilter({ value, creators, userId }: CreatorFilterProps) {
  const id = useId();
  const others = new Map(
    creators.map(({ branchCreatorId, branchCreatorEmail }) => [branchCreatorId, branchCreatorEmail]),
  );
  others.delete(userId);
  const isNamed = value === '' || value === userId || others.has(value);
  const [asksForId, setAsksForId] = useState(!isNamed);
  useEffect(() => setAsksForId(!isNamed), [value, isNamed]);
  return (
    <>
      <div class="filter">
        <label for={id}>Creator</label>
        <select
          id={id}
          value={asksForId ? 'id' : value}
          onChange={({ currentTarget }) => {
            setAsksForId(currentTarget.value === 'id');
            if (currentTarget.value !== 'id') go(withQuery({ creator: currentTarget.value }));
          }}
        >
          <option value="">Anyone</option>
          <option value={userId}>Me</option>
          {Array.from(others, ([creatorId, email]) => (
            <option key={creatorId} value={creatorId}>
              {email}
            </option>
          ))}
          <option value="id">By id…</option>
        </select>
      </div>
      {asksForId && (
        <TextFilter
          label="Creator's id"
          name="creator"
          value={isNamed ? '' : value}
          placeholder="of an account or a person"
          maxLength={64}
        />
      )}
    </>
  );
}
