import type { JobResource, JobState } from '@media-jobs/core/api';
import {
  Ban,
  CircleCheck,
  CircleDashed,
  CircleX,
  LoaderCircle,
  type LucideIcon,
  OctagonX,
  SkipForward,
  TriangleAlert,
} from 'lucide-react';
import classes from './state-badge.module.css';

/** The state of a job, or of one of its outputs. */
type State = JobState | NonNullable<JobResource['outputStates']>[string]['state'];

type Appearance = { label: string; Icon: LucideIcon; tone?: 'active' | 'success' | 'error' | 'warning' };

const appearances: Record<State, Appearance> = {
  queued: { label: 'Queued', Icon: CircleDashed },
  processing: { label: 'Processing', Icon: LoaderCircle, tone: 'active' },
  completed: { label: 'Completed', Icon: CircleCheck, tone: 'success' },
  failed: { label: 'Failed', Icon: CircleX, tone: 'error' },
  rejected: { label: 'Rejected', Icon: OctagonX, tone: 'warning' },
  cancelled: { label: 'Cancelled', Icon: Ban },
  skipped: { label: 'Skipped', Icon: SkipForward },
};

export function stateLabel(state: State): string {
  return appearances[state].label;
}

/** A label with an icon, so that it does not depend on color. */
export function Badge({ label, Icon, tone }: Appearance) {
  return (
    <span className={classes.badge} data-tone={tone} style={{ color: tone && `var(--tone-${tone})` }}>
      <Icon size={15} aria-hidden />
      {label}
    </span>
  );
}

export function StateBadge({ state }: { state: State }) {
  return <Badge {...appearances[state]} />;
}

/** How many warnings a job has; nothing for none. */
export function WarningBadge({ count }: { count: number }) {
  const label = count === 1 ? '1 warning' : `${count} warnings`;
  return count === 0 ? null : <Badge label={label} Icon={TriangleAlert} tone="warning" />;
}
