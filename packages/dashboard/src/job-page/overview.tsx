import { Stack, Text } from '@mantine/core';
import { jobName, replaceUnsafeCharacters } from '@media-jobs/cli/formatting';
import type { JobResource } from '@media-jobs/core/api';
import { labelFromCode } from '../format/labels.ts';
import { JobProgress } from '../job/job-progress.tsx';
import { isUnfinished } from '../job/use-job.ts';
import { Callout } from '../ui/callout.tsx';
import { LongText } from '../ui/long-text.tsx';
import { Section } from '../ui/section.tsx';
import { TextLink } from '../ui/text-link.tsx';
import { errorAdvice } from './error-advice.ts';
import { JobDetails, JobMetadata } from './job-details.tsx';
import { OutputFiles } from './output-files.tsx';
import { Outputs } from './outputs.tsx';
import classes from './overview.module.css';
import { Result } from './result.tsx';
import { Timeline } from './timeline.tsx';

export function Overview({ job }: { job: JobResource }) {
  const { metadata = {} } = job;
  return (
    <div className={classes.columns}>
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
    </div>
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
      <Text size="xs" mt="sm" c="dimmed">
        {error.code} while {error.stage}
      </Text>
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
