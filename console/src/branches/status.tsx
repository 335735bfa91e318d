import { Icon, type IconName } from '../parts/icon.tsx';
import { type BranchStatus, STATUS_NAMES } from './statuses.ts';

const ICONS: Readonly<Record<BranchStatus, IconName>> = {
  Draft: 'draft',
  ReadyForReview: 'review',
  Approved: 'approved',
  Merged: 'merged',
  Closed: 'closed',
};

/** A status, recognizable by its name and shape, not by its colour alone. */
export function Status({ status }: { status: BranchStatus }) {
  return (
    <span class={`status status-${status}`}>
      <Icon name={ICONS[status]} />
      {STATUS_NAMES[status]}
    </span>
  );
}
