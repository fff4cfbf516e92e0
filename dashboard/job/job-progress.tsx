import { Progress, Text } from '@mantine/core';
import type { JobResource } from '../../core/api/job-resource.ts';
import { formatDateTime, formatTimeLeft } from '../format/time.ts';
import { stageLabel } from './job-labels.ts';
import classes from './job-progress.module.css';

/** Progress of an unfinished job: stage, percentage, and the time left if the encoder estimates it. */
export function JobProgress({ job, label }: { job: JobResource; label: string }) {
  const { state, progress, estimatedEndAt, updatedAt } = job;
  return (
    <div className={classes.progress} data-estimated={estimatedEndAt === undefined ? undefined : true}>
      <Text size="xs" c="dimmed" className={`${classes.text} numbers`} mb={4}>
        <span className={classes.stage}>
          {stageLabel(job)}
          {state === 'processing' ? ' · ' : ''}
        </span>
        {state === 'processing' ? `${progress}%` : ''}
        {waitingText(job)}
        {/* The estimate dates from `updatedAt`; this computer's clock may be wrong. */}
        {estimatedEndAt === undefined ? '' : ` · ${formatTimeLeft(updatedAt, estimatedEndAt)}`}
      </Text>
      <Progress.Root size={6}>
        <Progress.Section value={progress} aria-label={label} />
      </Progress.Root>
    </div>
  );
}

/** The place of a queued job in the line. A list of jobs has none. */
function waitingText({ position, estimatedStartAt }: JobResource): string {
  if (position === undefined) return '';
  const start = estimatedStartAt === undefined ? '' : `, starts about ${formatDateTime(estimatedStartAt)}`;
  return ` · number ${position.toLocaleString()} in the queue${start}`;
}
