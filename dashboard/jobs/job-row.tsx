import { Checkbox } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { JobResource } from '../../core/api/job-resource.ts';
import { formatAge } from '../../words/age.ts';
import { formatBytes } from '../../words/bytes.ts';
import { nameOf } from '../../words/job-name.ts';
import { formatMoment } from '../format/moment.ts';
import { useNow } from '../format/use-now.ts';
import { asWords } from '../format/words.ts';
import { Quoted } from '../shell/quoted.tsx';
import { JobProgress } from './job-progress.tsx';
import { outputBytes, savingOf, taskOf } from './job-words.ts';
import type { ListedJob } from './jobs-pages.ts';
import classes from './jobs-table.module.css';
import { StateBadge } from './state-badge.tsx';
import { isUnfinished, useJob } from './use-job.ts';

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
  const name = nameOf(job);
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
          <Quoted>{name}</Quoted>
        </Link>
        <span className={classes.task}>{taskOf(job)}</span>
      </div>
      <div role="cell" className={classes.result}>
        <Result job={job} name={name} />
      </div>
      <div role="cell" className={`${classes.saving} numbers`}>
        {savingOf(job) ?? <span aria-hidden>–</span>}
      </div>
      <div role="cell" className={`${classes.age} numbers`}>
        <time dateTime={job.createdAt} title={formatMoment(job.createdAt)}>
          {formatAge(job.createdAt, now)}
        </time>
      </div>
    </div>
  );
}

function Result({ job, name }: { job: JobResource; name: string }) {
  if (isUnfinished(job)) return <JobProgress job={job} label={`Progress of ${name}`} />;
  if (job.error !== undefined) return asWords(job.error.code);
  const bytes = outputBytes(job);
  if (bytes !== undefined) return <span className="numbers">{formatBytes(bytes)}</span>;
  return job.state === 'cancelled' ? `At ${job.progress} %` : 'Files have expired';
}
