import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { JobResource } from '../../core/api/job-resource.ts';
import { asWords } from '../format/words.ts';
import { Callout } from '../shell/callout.tsx';
import { Quoted } from '../shell/quoted.tsx';
import { adviceFor } from './advice.ts';

/** Why a job was rejected or failed, and what to do next. The message may quote hostile media: it is text. */
export function Failure({ job }: { job: JobResource }) {
  const { error, state } = job;
  if (error === undefined) return null;
  return (
    <Callout tone={state === 'rejected' ? 'refused' : 'bad'} title={asWords(error.code)}>
      <Quoted>{error.message}</Quoted>
      <Text size="sm" mt="sm">
        <strong>What to do: </strong>
        {adviceFor(error)}
      </Text>
      {error.stage === 'transcoding' ? (
        <Anchor
          size="sm"
          underline="always"
          renderRoot={(props) => (
            <Link to="/jobs/$jobId" params={{ jobId: job.jobId }} search={{ tab: 'log' }} {...props} />
          )}
        >
          Open the log
        </Anchor>
      ) : null}
      <Text size="xs" mt="sm" c="dimmed">
        {error.code} while {error.stage}
      </Text>
    </Callout>
  );
}
