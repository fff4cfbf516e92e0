import { Checkbox } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { JobResource } from '../../core/api/job-resource.ts';
import { jobName } from '../../formatting/job-name.ts';
import { formatAge, formatBytes } from '../../formatting/quantities.ts';
import { formatDateTime } from '../format/date-time.ts';
import { useNow } from '../format/use-now.ts';
import { labelFromCode } from '../format/words.ts';
import { outputBytes, sizeChangeLabel, taskLabel } from '../job/job-labels.ts';
import { JobProgress } from '../job/job-progress.tsx';
import { StateBadge } from '../job/state-badge.tsx';
import { isUnfinished, useJob } from '../job/use-job.ts';
import { UntrustedText } from '../ui/untrusted-text.tsx';
import classes from './jobs-table.module.css';
import type { ListedJob } from './loaded-pages.ts';

type Props = {
  listed: ListedJob;
  /** Its place in the list, from 1, for readers that count rows. */
  position: number;
  selected: boolean;
  onSelect: (jobId: string) => void;
};

/** One job of the list; live by itself while it is unfinished and in sight. */
export function JobRow(props: Props) {
  const { job } = props.listed;
  return isUnfinished(job) ? <LiveRow {...props} /> : <Row {...props} job={job} />;
}

function LiveRow(props: Props) {
  const { listed } = props;
  const { data: job = listed.job } = useJob(listed.job.jobId, listed);
  return <Row {...props} job={job} />;
}

type RowProps = Omit<Props, 'listed'> & { job: JobResource };

/** Its elements say that they are cells, since those of a real table cannot be laid out row by row. */
function Row({ job, position, selected, onSelect }: RowProps) {
  const now = useNow();
  const name = jobName(job);
  const select = () => onSelect(job.jobId);
  return (
    <div
      role="row"
      aria-rowindex={position + 1}
      className={classes.row}
      data-selected={selected || undefined}
      data-job
    >
      <div role="cell" className={classes.select}>
        <Checkbox size="xs" checked={selected} onChange={select} aria-label={`Select ${name}`} />
      </div>
      <div role="cell" className={classes.state}>
        <StateBadge state={job.state} />
      </div>
      <div role="cell" className={classes.name}>
        <Link to="/jobs/$jobId" params={{ jobId: job.jobId }} className={classes.link}>
          <UntrustedText>{name}</UntrustedText>
        </Link>
        <span className={classes.task}>{taskLabel(job)}</span>
      </div>
      <div role="cell" className={classes.result}>
        <Result job={job} name={name} />
      </div>
      <div role="cell" className={`${classes.saving} numbers`}>
        {sizeChangeLabel(job) ?? <span aria-hidden>–</span>}
      </div>
      <div role="cell" className={`${classes.age} numbers`}>
        <time dateTime={job.createdAt} title={formatDateTime(job.createdAt)}>
          {formatAge(job.createdAt, now)}
        </time>
      </div>
    </div>
  );
}

function Result({ job, name }: { job: JobResource; name: string }) {
  if (isUnfinished(job)) return <JobProgress job={job} label={`Progress of ${name}`} />;
  if (job.error !== undefined) return labelFromCode(job.error.code);
  const bytes = outputBytes(job);
  if (bytes !== undefined) return <span className="numbers">{formatBytes(bytes)}</span>;
  return job.state === 'cancelled' ? `At ${job.progress} %` : 'Files have expired';
}
