import { formatDuration } from '@media-jobs/cli/formatting';
import type { JobResource } from '@media-jobs/core/api';
import { formatDateTime } from '../format/time.ts';
import { StateBadge, stateLabel } from '../job/state-badge.tsx';
import classes from './timeline.module.css';

type Step = { label: string; at: string; duration?: string };

/** The states of a job so far, with the time that each took. */
export function Timeline({ job }: { job: JobResource }) {
  const steps = stepsOf(job);
  return (
    <ol className={classes.timeline}>
      {steps.map(({ label, at, duration }, index) => (
        <li key={label}>
          {index === steps.length - 1 ? <StateBadge state={job.state} /> : label}
          {duration === undefined ? null : <span className={classes.duration}>after {duration}</span>}
          <time className={classes.when} dateTime={at}>
            {formatDateTime(at)}
          </time>
        </li>
      ))}
    </ol>
  );
}

function stepsOf({ state, createdAt, startedAt, completedAt, attempt }: JobResource): Step[] {
  const steps: Step[] = [{ label: stateLabel('queued'), at: createdAt }];
  if (startedAt !== null) {
    const attemptLabel = attempt > 1 ? `, attempt ${attempt}` : '';
    steps.push({
      label: `${stateLabel('processing')}${attemptLabel}`,
      at: startedAt,
      duration: durationBetween(createdAt, startedAt),
    });
  }
  if (completedAt !== null) {
    steps.push({
      label: stateLabel(state),
      at: completedAt,
      duration: durationBetween(startedAt ?? createdAt, completedAt),
    });
  }
  return steps;
}

function durationBetween(from: string, to: string): string {
  const milliseconds = Math.max(0, Date.parse(to) - Date.parse(from));
  return milliseconds < 100 ? `${milliseconds} ms` : formatDuration(milliseconds / 1000);
}
