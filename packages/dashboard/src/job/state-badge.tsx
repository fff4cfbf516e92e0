import type { JobResource, JobState } from '@media-jobs/core/api';
import {
  Ban,
  CircleCheck,
  CircleDashed,
  CircleX,
  LoaderCircle,
  OctagonX,
  SkipForward,
  TriangleAlert,
} from 'lucide-react';
import classes from './state-badge.module.css';

/** The state of a job, or of one of its outputs. */
type State = JobState | NonNullable<JobResource['outputStates']>[string]['state'];

const appearances = {
  queued: { label: 'Queued', Icon: CircleDashed },
  processing: { label: 'Processing', Icon: LoaderCircle },
  completed: { label: 'Completed', Icon: CircleCheck },
  failed: { label: 'Failed', Icon: CircleX },
  rejected: { label: 'Rejected', Icon: OctagonX },
  cancelled: { label: 'Cancelled', Icon: Ban },
  skipped: { label: 'Skipped', Icon: SkipForward },
} as const satisfies Record<State, unknown>;

export function stateLabel(state: State): string {
  return appearances[state].label;
}

/** A state by label and icon, so that it does not depend on color. */
export function StateBadge({ state }: { state: State }) {
  const { label, Icon } = appearances[state];
  return (
    <span className={classes.badge} data-state={state}>
      <Icon size={15} aria-hidden className={classes.icon} />
      {label}
    </span>
  );
}

/** How many warnings a job has; nothing for none. */
export function WarningBadge({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <span className={classes.badge} data-state="rejected">
      <TriangleAlert size={15} aria-hidden />
      {count === 1 ? '1 warning' : `${count} warnings`}
    </span>
  );
}
