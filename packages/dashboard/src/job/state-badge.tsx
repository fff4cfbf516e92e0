import type { JobState } from '@media-jobs/core/api';
import { Ban, CircleCheck, CircleDashed, CircleX, LoaderCircle, OctagonX } from 'lucide-react';
import classes from './state-badge.module.css';

const appearances = {
  queued: { label: 'Queued', Icon: CircleDashed },
  processing: { label: 'Processing', Icon: LoaderCircle },
  completed: { label: 'Completed', Icon: CircleCheck },
  failed: { label: 'Failed', Icon: CircleX },
  rejected: { label: 'Rejected', Icon: OctagonX },
  cancelled: { label: 'Cancelled', Icon: Ban },
} as const satisfies Record<JobState, unknown>;

export function stateLabel(state: JobState): string {
  return appearances[state].label;
}

/** A state by label and icon, so that it does not depend on color. */
export function StateBadge({ state }: { state: JobState }) {
  const { label, Icon } = appearances[state];
  return (
    <span className={classes.badge} data-state={state}>
      <Icon size={15} aria-hidden className={classes.icon} />
      {label}
    </span>
  );
}
