import { Progress, Text } from '@mantine/core';
import type { JobResource } from '../../core/api/job-resource.ts';
import { formatTimeLeft } from '../format/time-left.ts';
import { stageLabel } from './job-labels.ts';
import classes from './job-progress.module.css';

/** How far an unfinished job is, what it is doing, and how long that will take where the encoder knows. */
export function JobProgress({ job, label }: { job: JobResource; label: string }) {
  const { state, progress, estimatedEndAt, updatedAt } = job;
  return (
    <div className={classes.progress} data-estimated={estimatedEndAt === undefined ? undefined : true}>
      <Text size="xs" c="dimmed" className={`${classes.words} numbers`} mb={4}>
        <span className={classes.stage}>
          {stageLabel(job)}
          {state === 'processing' ? ' · ' : ''}
        </span>
        {state === 'processing' ? `${progress} %` : ''}
        {/* The estimate is as old as the record, whatever the clock of this computer says. */}
        {estimatedEndAt === undefined ? '' : ` · ${formatTimeLeft(updatedAt, estimatedEndAt)}`}
      </Text>
      <Progress.Root size={6}>
        <Progress.Section value={progress} aria-label={label} />
      </Progress.Root>
    </div>
  );
}
