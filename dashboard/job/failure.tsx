import { Text } from '@mantine/core';
import type { JobResource } from '../../core/api/job-resource.ts';
import { asWords } from '../format/words.ts';
import { Callout } from '../shell/callout.tsx';
import { adviceFor } from './advice.ts';

/** Why a job was rejected or failed, and what to do next. The message may quote hostile media: it is text. */
export function Failure({ job }: { job: JobResource }) {
  const { error, state } = job;
  if (error === undefined) return null;
  return (
    <Callout tone={state === 'rejected' ? 'refused' : 'bad'} title={asWords(error.code)}>
      <bdi>{error.message}</bdi>
      <Text size="sm" mt="sm" fw={600}>
        {adviceFor(error)}
      </Text>
      <Text size="xs" mt="sm" c="dimmed">
        {error.code} while {error.stage}
      </Text>
    </Callout>
  );
}
