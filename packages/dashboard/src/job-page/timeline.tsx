import { formatDuration } from '@media-jobs/cli/formatting';
import type { JobResource } from '@media-jobs/core/api';
import { formatDateTime } from '../format/time.ts';
import { stageLabels } from '../job/job-labels.ts';
import { StateBadge, stateLabel } from '../job/state-badge.tsx';
import classes from './timeline.module.css';

type Step = { label: string; at: string };

/** The states of a job so far and the stages of its last attempt, each with the time since the one before. */
export function Timeline({ job }: { job: JobResource }) {
  const steps = stepsOf(job);
  return (
    <ol className={classes.timeline}>
      {steps.map(({ label, at }, index) => {
        const previous = steps[index - 1];
        return (
          <li key={label}>
            {index === steps.length - 1 ? <StateBadge state={job.state} /> : label}
            {previous === undefined ? null : (
              <span className={classes.duration}>after {durationBetween(previous.at, at)}</span>
            )}
            <time className={classes.when} dateTime={at}>
              {formatDateTime(at)}
            </time>
          </li>
        );
      })}
    </ol>
  );
}

function stepsOf({ state, createdAt, startedAt, completedAt, attempt, stages = [] }: JobResource): Step[] {
  const attemptLabel = attempt > 1 ? `, attempt ${attempt}` : '';
  const ofStages = stages.map(({ stage, startedAt: at }) => ({ label: stageLabels[stage], at }));
  return [
    { label: stateLabel('queued'), at: createdAt },
    ...(startedAt === null ? [] : [{ label: `${stateLabel('processing')}${attemptLabel}`, at: startedAt }]),
    // The badge of an unfinished job stands for its last state.
    ...(completedAt === null ? [] : [...ofStages, { label: stateLabel(state), at: completedAt }]),
  ];
}

function durationBetween(from: string, to: string): string {
  const milliseconds = Math.max(0, Date.parse(to) - Date.parse(from));
  return milliseconds < 100 ? `${milliseconds} ms` : formatDuration(milliseconds / 1000);
}
