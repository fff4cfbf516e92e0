import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { JobResource } from '../../core/api/job-resource.ts';
import { inputUrls } from '../../core/jobs/request-inputs.ts';
import { formatBytes } from '../../words/bytes.ts';
import { labelOf } from '../format/label.ts';
import { formatMoment } from '../format/moment.ts';
import { outputBytes, savingOf, taskOf } from '../jobs/job-words.ts';
import { CopyIcon } from '../shell/copy-icon.tsx';
import { Quoted } from '../shell/quoted.tsx';
import classes from './overview.module.css';

/** What is worth knowing of a job at a glance. */
export function Facts({ job }: { job: JobResource }) {
  const { inputSizeBytes: inputBytes, retryOf } = job;
  const bytes = outputBytes(job);
  const saving = savingOf(job);
  const inputs = inputUrls(job.request);
  return (
    <dl className={classes.facts}>
      <Fact term="Recipe">{taskOf(job)}</Fact>
      {inputs.map((url, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an input is known by its place alone.
        <Fact key={index} term={inputs.length === 1 ? 'Input' : `Input ${index + 1}`}>
          <Quoted>{url}</Quoted>
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
        <Fact key={`measured ${name}`} term={labelOf(name)}>
          {Number(value.toFixed(2))}
        </Fact>
      ))}
      {job.chunking === undefined ? null : <Fact term="Chunks">{job.chunking.reason}</Fact>}
      {job.filesExpireAt === null ? null : (
        <Fact term="Files kept until">{formatMoment(job.filesExpireAt)}</Fact>
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
          <Quoted>{value}</Quoted>
        </Fact>
      ))}
      <Fact term="Job id">
        <span className={classes.id}>
          <code>{job.jobId}</code>
          <CopyIcon text={job.jobId} what="the job id" />
        </span>
      </Fact>
    </dl>
  );
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div>
      <dt>
        <Quoted>{term}</Quoted>
      </dt>
      <dd className="numbers">{children}</dd>
    </div>
  );
}
