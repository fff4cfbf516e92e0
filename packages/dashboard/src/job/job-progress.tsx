import { Progress, Text } from '@mantine/core';
import { formatNumber } from '@media-jobs/cli/formatting';
import type { JobResource } from '@media-jobs/core/api';
import { formatDateTime, formatTimeLeft } from '../format/time.ts';
import { stageLabel } from './job-labels.ts';
import classes from './job-progress.module.css';

/** Progress of an unfinished job: stage, percentage, and the time left if the encoder estimates it. */
export function JobProgress({ job, label }: { job: JobResource; label: string }) {
  const { state, progress, position, estimatedEndAt, updatedAt } = job;
  return (
    <div className={classes.progress} data-estimated={estimatedEndAt === undefined ? undefined : true}>
      <Text size="xs" c="dimmed" truncate className="numbers" mb={4}>
        <span className={classes.stage}>
          {position === undefined ? stageLabel(job) : ''}
          {state === 'processing' ? ' · ' : ''}
        </span>
        {state === 'processing' ? `${progress}%` : ''}
        <Waiting job={job} />
        {/* The estimate dates from `updatedAt`; this computer's clock may be wrong. */}
        {estimatedEndAt === undefined ? '' : ` · ${formatTimeLeft(updatedAt, estimatedEndAt)}`}
      </Text>
      <Progress.Root size={6}>
        <Progress.Section value={progress} aria-label={label} />
      </Progress.Root>
    </div>
  );
}

/** The place of a queued job in the line. A job of a list has it after that job was read by itself. */
function Waiting({ job: { position, estimatedStartAt } }: { job: JobResource }) {
  if (position === undefined) return null;
  return (
    <>
      Number {formatNumber(position)} in the queue
      {estimatedStartAt === undefined ? null : (
        <span className={classes.start}>, starts about {formatDateTime(estimatedStartAt)}</span>
      )}
    </>
  );
}
