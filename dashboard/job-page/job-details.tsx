import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { JobResource } from '../../core/api/job-resource.ts';
import { inputUrls } from '../../core/jobs/request-inputs.ts';
import { formatBytes } from '../../formatting/quantities.ts';
import { formatDateTime } from '../format/date-time.ts';
import { labelFromName } from '../format/labels.ts';
import { outputBytes, sizeChangeLabel, taskLabel } from '../job/job-labels.ts';
import { CopyIconButton } from '../ui/copy-icon.tsx';
import { UntrustedText } from '../ui/untrusted-text.tsx';
import classes from './overview.module.css';

/** What is worth knowing of a job at a glance. */
export function JobDetails({ job }: { job: JobResource }) {
  const { inputSizeBytes: inputBytes, retryOf } = job;
  const bytes = outputBytes(job);
  const saving = sizeChangeLabel(job);
  const inputs = inputUrls(job.request);
  return (
    <dl className={classes.facts}>
      <Fact term="Recipe">{taskLabel(job)}</Fact>
      {inputs.map((url, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an input is known by its place alone.
        <Fact key={index} term={inputs.length === 1 ? 'Input' : `Input ${index + 1}`}>
          <UntrustedText>{url}</UntrustedText>
        </Fact>
      ))}
      {inputBytes === undefined ? null : <Fact term="Input size">{formatBytes(inputBytes)}</Fact>}
      {bytes === undefined ? null : (
        <Fact term="Output size">
          {formatBytes(bytes)}
          {saving === undefined ? '' : ` (${saving})`}
        </Fact>
      )}
      {Object.entries(job.measurements ?? {}).map(([name, value]) => (
        <Fact key={`measured ${name}`} term={labelFromName(name)}>
          {Number(value.toFixed(2))}
        </Fact>
      ))}
      {job.chunking === undefined ? null : <Fact term="Chunks">{job.chunking.reason}</Fact>}
      {job.filesExpireAt === null ? null : (
        <Fact term="Files kept until">{formatDateTime(job.filesExpireAt)}</Fact>
      )}
      {retryOf === undefined ? null : (
        <Fact term="Tries again">
          <Anchor
            size="sm"
            underline="always"
            renderRoot={(props) => <Link to="/jobs/$jobId" params={{ jobId: retryOf }} {...props} />}
          >
            an earlier job
          </Anchor>
        </Fact>
      )}
      {Object.entries(job.metadata ?? {}).map(([name, value]) => (
        <Fact key={`metadata ${name}`} term={name}>
          <UntrustedText>{value}</UntrustedText>
        </Fact>
      ))}
      <Fact term="Job id">
        <span className={classes.id}>
          <code>{job.jobId}</code>
          <CopyIconButton text={job.jobId} what="the job id" />
        </span>
      </Fact>
    </dl>
  );
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div>
      <dt>
        <UntrustedText>{term}</UntrustedText>
      </dt>
      <dd className="numbers">{children}</dd>
    </div>
  );
}
