import { Text } from '@mantine/core';
import type { JobResource } from '@media-jobs/core/api';
import { labelFromCode } from '../format/labels.ts';
import { Callout } from '../ui/callout.tsx';
import { LongText } from '../ui/long-text.tsx';
import { TextLink } from '../ui/text-link.tsx';
import { errorAdvice } from './error-advice.ts';

/** Why a job was rejected or failed, and what to do about it. */
export function JobError({ job }: { job: JobResource }) {
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
