import { Group, Text } from '@mantine/core';
import { formatBytes, formatDollars, jobName } from '@media-jobs/cli/formatting';
import { defaultPriority, inputUrls, type JobResource } from '@media-jobs/core/api';
import type { ReactNode } from 'react';
import { labelFromCode, labelFromName } from '../format/labels.ts';
import { measuredTexts } from '../format/measured-texts.ts';
import { formatDateTime } from '../format/time.ts';
import { economyLabel, taskLabel, totalOutputBytes } from '../job/job-labels.ts';
import { isUnfinished } from '../job/use-job.ts';
import { useSizeChangeLabel } from '../job/use-recipes.ts';
import { CopyIconButton } from '../ui/copy-buttons.tsx';
import { LongText } from '../ui/long-text.tsx';
import tableClasses from '../ui/parts-table.module.css';
import { UntrustedText } from '../ui/text.tsx';
import { TextLink } from '../ui/text-link.tsx';
import classes from './overview.module.css';

export function JobDetails({ job }: { job: JobResource }) {
  const { inputSizeBytes: inputBytes, retryOf, request } = job;
  const { maxCostUsd } = request;
  const outputBytes = totalOutputBytes(job);
  const sizeChange = useSizeChangeLabel(job);
  const inputs = inputUrls(request);
  const economy = economyLabel(job);
  return (
    <dl className={classes.details}>
      <Detail term="Recipe">{taskLabel(job)}</Detail>
      {inputs.map((url, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: inputs are identified by position only.
        <Detail key={index} term={inputs.length === 1 ? 'Input' : `Input ${index + 1}`}>
          {url.startsWith('upload:') ? (
            <UntrustedText>{`Upload: ${jobName({ request: { input: { url } } })}`}</UntrustedText>
          ) : (
            <LongText what="the input">{url}</LongText>
          )}
        </Detail>
      ))}
      {inputBytes === undefined ? null : <Detail term="Input size">{formatBytes(inputBytes)}</Detail>}
      {outputBytes === undefined ? null : (
        <Detail term="Output size">
          {formatBytes(outputBytes)}
          {sizeChange === undefined ? '' : ` (${sizeChange})`}
        </Detail>
      )}
      {measuredTexts(job.measurements ?? {}).map(([label, text]) => (
        <Detail key={`measured ${label}`} term={label}>
          {text}
        </Detail>
      ))}
      {economy === undefined ? null : <Detail term="Speed">{economy}</Detail>}
      {job.priority === defaultPriority ? null : <Detail term="Priority">{job.priority} of 9</Detail>}
      {job.worker === null ? null : <Detail term="Worker">{labelFromName(job.worker)}</Detail>}
      {job.chunking === undefined ? null : <Detail term="Chunks">{job.chunking.reason}</Detail>}
      {job.cost === undefined ? null : (
        <Detail term="Cost">
          <JobCost cost={job.cost} />
        </Detail>
      )}
      {maxCostUsd === undefined ? null : <Detail term="Maximum cost">{formatDollars(maxCostUsd)}</Detail>}
      {isUnfinished(job) || (job.filesExpireAt === null && job.output_files === undefined) ? null : (
        <Detail term={job.output_files === undefined ? 'Files expired' : 'Files expire'}>
          {job.filesExpireAt === null ? 'When the job is deleted' : formatDateTime(job.filesExpireAt)}
        </Detail>
      )}
      {retryOf === undefined ? null : (
        <Detail term="Retry of">
          <TextLink to="/jobs/$jobId" params={{ jobId: retryOf }}>
            the original job
          </TextLink>
        </Detail>
      )}
      <Detail term="Job ID">
        <Group justify="space-between" gap={4} wrap="nowrap">
          <code style={{ fontSize: 12 }}>{job.jobId}</code>
          <CopyIconButton text={job.jobId} what="the job ID" />
        </Group>
      </Detail>
    </dl>
  );
}

/** The metadata of a job, apart from its details: a key of the caller may be called Cost. */
export function JobMetadata({ metadata }: { metadata: Readonly<Record<string, string>> }) {
  return (
    <dl className={classes.details}>
      {Object.entries(metadata).map(([name, value]) => (
        <Detail key={name} term={name}>
          <LongText what={name}>{value}</LongText>
        </Detail>
      ))}
    </dl>
  );
}

function Detail({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div>
      <dt>
        <UntrustedText>{term}</UntrustedText>
      </dt>
      <dd className="numbers">{children}</dd>
    </div>
  );
}

/** What a job has cost, with its parts on request, the most expensive first. */
function JobCost({ cost: { usd, parts } }: { cost: NonNullable<JobResource['cost']> }) {
  if (parts.length < 2) return formatDollars(usd);
  return (
    <details>
      <summary>
        {formatDollars(usd)}{' '}
        <Text span c="dimmed" fz={13}>
          by part
        </Text>
      </summary>
      <table className={tableClasses.parts} aria-label="Cost by part">
        <tbody>
          {parts
            .toSorted((one, other) => other.usd - one.usd)
            .map((part) => (
              <tr key={part.name}>
                <th scope="row">{labelFromCode(part.name)}</th>
                <td>{formatDollars(part.usd)}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </details>
  );
}
