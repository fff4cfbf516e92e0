import { Checkbox, Group, Text } from '@mantine/core';
import {
  formatAge,
  formatBytes,
  formatDollarsInColumn,
  jobName,
  replaceUnsafeCharacters,
} from '@media-jobs/cli/formatting';
import type { JobResource } from '@media-jobs/core/api';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { labelFromCode } from '../format/labels.ts';
import { formatDateTime } from '../format/time.ts';
import { useNow } from '../format/use-now.ts';
import { taskLabel, totalOutputBytes } from '../job/job-labels.ts';
import { JobProgress } from '../job/job-progress.tsx';
import { StateBadge, WarningBadge } from '../job/state-badge.tsx';
import { isUnfinished, useListedJob } from '../job/use-job.ts';
import { useSizeChangeLabel } from '../job/use-recipes.ts';
import { UntrustedText } from '../ui/text.tsx';
import classes from './jobs-table.module.css';
import type { ListedJob } from './loaded-pages.ts';

type Props = {
  listed: ListedJob;
  /** From 1, for screen readers. */
  position: number;
  selected: boolean;
  onSelect: (jobId: string) => void;
};

/** One job of the list. The feed updates an unfinished one while it is visible. */
export function JobRow(props: Props) {
  const { job } = props.listed;
  return isUnfinished(job) ? <UnfinishedRow {...props} /> : <Row {...props} job={job} />;
}

function UnfinishedRow(props: Props) {
  return <Row {...props} job={useListedJob(props.listed)} />;
}

/** ARIA roles instead of a table element, whose rows cannot be virtualized. */
function Row({ job, position, selected, onSelect }: Omit<Props, 'listed'> & { job: JobResource }) {
  const now = useNow();
  const sizeChange = useSizeChangeLabel(job);
  const name = replaceUnsafeCharacters(jobName(job));
  const select = () => onSelect(job.jobId);
  return (
    <div role="row" aria-rowindex={position + 1} className={classes.row} data-selected={selected || undefined} data-job>
      <div role="cell" className={classes.select}>
        <Checkbox size="xs" checked={selected} onChange={select} aria-label={`Select ${name}`} />
      </div>
      <div role="cell" className={classes.state}>
        <StateBadge state={job.state} />
      </div>
      <div role="cell" className={classes.name}>
        <Link to="/jobs/$jobId" params={{ jobId: job.jobId }} className={classes.link} title={name}>
          <UntrustedText>{name}</UntrustedText>
        </Link>
        <Text span c="dimmed" fz={13} lh={1.35} truncate>
          {taskLabel(job)}
        </Text>
      </div>
      <div role="cell" className={classes.result}>
        <Result job={job} name={name} /> <WarningBadge count={job.warnings.length} />
      </div>
      <div role="cell" className={`${classes.sizeChange} numbers`}>
        {sizeChange ?? <span aria-hidden>–</span>}
      </div>
      <div role="cell" className={`${classes.cost} numbers`}>
        {job.cost === undefined ? <span aria-hidden>–</span> : formatDollarsInColumn(job.cost.usd)}
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
  const bytes = totalOutputBytes(job);
  if (bytes !== undefined) {
    return (
      <Group gap={10} wrap="nowrap" display="inline-flex" style={{ verticalAlign: 'middle' }}>
        <Thumbnail job={job} />
        <span className="numbers">{formatBytes(bytes)}</span>
      </Group>
    );
  }
  return job.state === 'cancelled' ? `Stopped at ${job.progress}%` : 'Files expired';
}

/** Larger pictures load too slowly for a list. */
const maxThumbnailMb = 1;

/** The first small picture of a job, if it is in the storage of the stage: pages load media from there only. */
function Thumbnail({ job: { output_files: files = {} } }: { job: JobResource }) {
  const [hasFailed, setHasFailed] = useState(false);
  const picture = Object.values(files).find(
    (file) =>
      file.file_type === 'image' && file.size_mbytes <= maxThumbnailMb && file.storage_provider_id === undefined,
  );
  if (picture === undefined || hasFailed) return null;
  return (
    <img
      className={classes.thumbnail}
      src={picture.storage_url}
      alt=""
      loading="lazy"
      onError={() => setHasFailed(true)}
    />
  );
}
