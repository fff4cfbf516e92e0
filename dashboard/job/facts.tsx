import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { JobResource } from '../../core/api/job-resource.ts';
import { formatBytes } from '../format/bytes.ts';
import { formatMoment } from '../format/moment.ts';
import { formatSaving } from '../format/saving.ts';
import { outputBytes, taskOf } from '../jobs/job-words.ts';
import { CopyText } from '../shell/copy-text.tsx';
import classes from './overview.module.css';

/** What is worth knowing of a job at a glance. */
export function Facts({ job }: { job: JobResource }) {
  const { inputSizeBytes: inputBytes } = job;
  const bytes = outputBytes(job);
  const saving =
    inputBytes === undefined || bytes === undefined ? undefined : formatSaving(inputBytes, bytes);
  return (
    <dl className={classes.facts}>
      <Fact term="Recipe">{taskOf(job)}</Fact>
      <Fact term="Input">
        <bdi>{job.request.input.url}</bdi>
      </Fact>
      {inputBytes === undefined ? null : <Fact term="Input size">{formatBytes(inputBytes)}</Fact>}
      {bytes === undefined ? null : (
        <Fact term="Output size">
          {formatBytes(bytes)}
          {saving === undefined ? '' : ` (${saving})`}
        </Fact>
      )}
      {job.filesExpireAt === null ? null : (
        <Fact term="Files kept until">{formatMoment(job.filesExpireAt)}</Fact>
      )}
      {job.retryOf === undefined ? null : (
        <Fact term="Tries again">
          <Anchor
            size="sm"
            underline="always"
            renderRoot={(props) => (
              <Link to="/jobs/$jobId" params={{ jobId: job.retryOf ?? '' }} {...props} />
            )}
          >
            an earlier job
          </Anchor>
        </Fact>
      )}
      {Object.entries(job.metadata ?? {}).map(([name, value]) => (
        <Fact key={name} term={name}>
          <bdi>{value}</bdi>
        </Fact>
      ))}
      <Fact term="Job id">
        <code>{job.jobId}</code>
        <div style={{ marginTop: 8 }}>
          <CopyText text={job.jobId} what="the job id" />
        </div>
      </Fact>
    </dl>
  );
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div>
      <dt>
        <bdi>{term}</bdi>
      </dt>
      <dd className="numbers">{children}</dd>
    </div>
  );
}
