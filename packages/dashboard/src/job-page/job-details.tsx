import { Group, Stack, Text } from '@mantine/core';
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

export function JobDetails({ job }: { job: JobResource }) {
  const { inputSizeBytes: inputBytes, retryOf, request, cost } = job;
  const { maxCostUsd } = request;
  const outputBytes = totalOutputBytes(job);
  const sizeChange = useSizeChangeLabel(job);
  const inputs = inputUrls(request);
  return (
    <Stack component="dl" gap={12} m={0} fz={14}>
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
      <Detail term="Input size">{inputBytes === undefined ? undefined : formatBytes(inputBytes)}</Detail>
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
      <Detail term="Speed">{economyLabel(job)}</Detail>
      {job.priority === defaultPriority ? null : <Detail term="Priority">{job.priority} of 9</Detail>}
      {job.worker === null ? null : <Detail term="Worker">{labelFromName(job.worker)}</Detail>}
      <Detail term="Chunks">{job.chunking?.reason}</Detail>
      <Detail term="Cost">{cost && <JobCost cost={cost} />}</Detail>
      {maxCostUsd === undefined ? null : <Detail term="Maximum cost">{formatDollars(maxCostUsd)}</Detail>}
      {isUnfinished(job) || (job.filesExpireAt === null && job.output_files === undefined) ? null : (
        <Detail term={job.output_files === undefined ? 'Files expired' : 'Files expire'}>
          {job.filesExpireAt === null ? 'When the job is deleted' : formatDateTime(job.filesExpireAt)}
        </Detail>
      )}
      <Detail term="Retry of">
        {retryOf && (
          <TextLink to="/jobs/$jobId" params={{ jobId: retryOf }}>
            the original job
          </TextLink>
        )}
      </Detail>
      <Detail term="Job ID">
        <Group justify="space-between" gap={4} wrap="nowrap">
          <code style={{ fontSize: 12 }}>{job.jobId}</code>
          <CopyIconButton text={job.jobId} what="the job ID" />
        </Group>
      </Detail>
    </Stack>
  );
}

/** The metadata of a job, apart from its details: a key of the caller may be called Cost. */
export function JobMetadata({ metadata }: { metadata: Readonly<Record<string, string>> }) {
  return (
    <Stack component="dl" gap={12} m={0} fz={14}>
      {Object.entries(metadata).map(([name, value]) => (
        <Detail key={name} term={name}>
          <LongText what={name}>{value}</LongText>
        </Detail>
      ))}
    </Stack>
  );
}

/** A term with what it is; nothing if that is undefined. */
function Detail({ term, children }: { term: string; children: ReactNode }) {
  if (children === undefined) return null;
  return (
    <div>
      <Text component="dt" c="dimmed" fz={13}>
        <UntrustedText>{term}</UntrustedText>
      </Text>
      <Text component="dd" inherit className="numbers" style={{ overflowWrap: 'anywhere' }}>
        {children}
      </Text>
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
