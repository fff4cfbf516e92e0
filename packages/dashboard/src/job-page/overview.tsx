import { Box, Group, Progress, Stack, Table, Text } from '@mantine/core';
import { formatDollarsInColumn, formatDuration, jobName, replaceUnsafeCharacters } from '@media-jobs/cli/formatting';
import type { JobResource } from '@media-jobs/core/api';
import { labelFromCode } from '../format/labels.ts';
import { formatDateTime } from '../format/time.ts';
import { stageLabels } from '../job/job-labels.ts';
import { JobProgress } from '../job/job-progress.tsx';
import { StateBadge, stateLabel } from '../job/state-badge.tsx';
import { isUnfinished } from '../job/use-job.ts';
import { Callout } from '../ui/callout.tsx';
import { LongText } from '../ui/long-text.tsx';
import { ScrollableTable } from '../ui/scrollable-table.tsx';
import { Section } from '../ui/section.tsx';
import { Note, UntrustedText } from '../ui/text.tsx';
import { TextLink } from '../ui/text-link.tsx';
import { errorAdvice } from './error-advice.ts';
import { JobDetails, JobMetadata } from './job-details.tsx';
import { OutputFiles } from './output-files.tsx';
import classes from './overview.module.css';
import { Result } from './result.tsx';

export function Overview({ job }: { job: JobResource }) {
  const { metadata = {} } = job;
  return (
    <Box className="columns" __vars={{ '--side': '340px' }}>
      <Stack gap="lg" className={classes.main}>
        {isUnfinished(job) ? (
          <Section title="Progress">
            <JobProgress job={job} label={`Progress of ${replaceUnsafeCharacters(jobName(job))}`} />
          </Section>
        ) : null}
        <JobError job={job} />
        <JobWarnings job={job} />
        <Outputs job={job} />
        <Result job={job} />
        <OutputFiles job={job} />
      </Stack>
      <Stack gap="lg">
        <Section title="Timeline">
          <Timeline job={job} />
        </Section>
        <Section title="Details">
          <JobDetails job={job} />
        </Section>
        {Object.keys(metadata).length === 0 ? null : (
          <Section title="Metadata">
            <JobMetadata metadata={metadata} />
          </Section>
        )}
      </Stack>
    </Box>
  );
}

/** Why a job was rejected or failed, and what to do about it. */
function JobError({ job }: { job: JobResource }) {
  const { error, state } = job;
  if (error === undefined) return null;
  return (
    <Callout tone={state === 'rejected' ? 'warning' : 'error'} title={labelFromCode(error.code)}>
      <LongText what="the error" maxCharacters={400}>
        {error.message}
      </LongText>
      <Text size="sm" mt="sm">
        <strong>What to do: </strong>
        {errorAdvice(error)}
      </Text>
      {error.stage === 'transcoding' ? (
        <TextLink to="/jobs/$jobId" params={{ jobId: job.jobId }} search={{ tab: 'log' }}>
          Open log
        </TextLink>
      ) : null}
      <Note size="xs" mt="sm">
        {error.code} while {error.stage}
      </Note>
    </Callout>
  );
}

/** What the result of a job lacks, or assumed of its input. */
function JobWarnings({ job }: { job: JobResource }) {
  return job.warnings.map(({ code, message, output }) => (
    <Callout key={`${code} ${output} ${message}`} tone="warning" title={labelFromCode(code)}>
      <LongText what="the warning" maxCharacters={400}>
        {output === undefined ? message : `${output}: ${message}`}
      </LongText>
    </Callout>
  ));
}

/** The state, the progress and the cost of each output of a job. The warnings or the error of the job say why one has failed. */
function Outputs({ job: { outputStates, request, cost } }: { job: JobResource }) {
  const states = Object.entries(outputStates ?? {});
  if (states.length === 0) return null;
  return (
    <Section title={states.length === 1 ? 'Output' : `${states.length} outputs`}>
      <ScrollableTable label="Outputs" headings={['Output', 'State', 'Cost']} numeric={['Cost']}>
        {states.map(([name, { state, progress }]) => (
          <Table.Tr key={name}>
            <Table.Td style={{ whiteSpace: 'normal' }}>
              <UntrustedText>{name}</UntrustedText>
              <Note size="xs">{describe(request.outputs?.[name])}</Note>
            </Table.Td>
            <Table.Td>
              <Group justify="space-between" gap="0 10px" maw={200}>
                <StateBadge state={state} />
                <Note size="xs">{progress}%</Note>
              </Group>
              <Progress.Root size={6} mt={4} maw={200}>
                <Progress.Section value={progress} aria-label={`Progress of ${replaceUnsafeCharacters(name)}`} />
              </Progress.Root>
            </Table.Td>
            <Table.Td ta="end">{costOf(cost?.outputs?.[name])}</Table.Td>
          </Table.Tr>
        ))}
      </ScrollableTable>
    </Section>
  );
}

/** Known once the job has ended. */
function costOf(cost: { usd: number } | undefined): string {
  return cost === undefined ? '–' : formatDollarsInColumn(cost.usd);
}

/** Such as `Thumbnail to jpg, from small`. */
function describe(output: NonNullable<JobResource['request']['outputs']>[string] | undefined): string {
  if (output === undefined) return '';
  const { recipe, format, from } = output;
  return `${labelFromCode(recipe.name)} to ${format}${from === undefined ? '' : `, from ${from}`}`;
}

type Step = { label: string; at: string };

/** The states of a job so far and the stages of its last attempt, each with the time since the one before. */
function Timeline({ job }: { job: JobResource }) {
  const steps = stepsOf(job);
  return (
    <ol className={classes.timeline}>
      {steps.map(({ label, at }, index) => {
        const previous = steps[index - 1];
        return (
          <li key={label}>
            {index === steps.length - 1 ? <StateBadge state={job.state} /> : label}
            {previous === undefined ? null : (
              <Text span c="dimmed" fz={13} style={{ float: 'inline-end' }}>
                after {durationBetween(previous.at, at)}
              </Text>
            )}
            <Text component="time" display="block" c="dimmed" fz={13} dateTime={at}>
              {formatDateTime(at)}
            </Text>
          </li>
        );
      })}
    </ol>
  );
}

function stepsOf({ state, createdAt, startedAt, completedAt, attempt, stages = [] }: JobResource): Step[] {
  const attemptLabel = attempt > 1 ? `, attempt ${attempt}` : '';
  const ofStages = stages.map(({ stage, startedAt: at }) => ({ label: stageLabels[stage], at }));
  return [
    { label: stateLabel('queued'), at: createdAt },
    ...(startedAt === null ? [] : [{ label: `${stateLabel('processing')}${attemptLabel}`, at: startedAt }]),
    // The badge of an unfinished job stands for its last state.
    ...(completedAt === null ? [] : [...ofStages, { label: stateLabel(state), at: completedAt }]),
  ];
}

function durationBetween(from: string, to: string): string {
  const milliseconds = Math.max(0, Date.parse(to) - Date.parse(from));
  return milliseconds < 100 ? `${milliseconds} ms` : formatDuration(milliseconds / 1000);
}
