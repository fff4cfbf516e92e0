import { Code, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { JobResource } from '../../core/api/job-resource.ts';
import { shellQuoted } from '../../words/shell-quoted.ts';
import { useApi } from '../api/api-context.tsx';
import { visibleText } from '../format/visible-text.ts';
import { isUnfinished } from '../jobs/use-job.ts';
import { CopyText } from '../shell/copy-text.tsx';
import { Problem } from '../shell/problem.tsx';
import { Quoted } from '../shell/quoted.tsx';
import { Section } from '../shell/section.tsx';
import classes from './job-log.module.css';

const pollMs = 3_000;

/** What ffmpeg was asked to do and what it said, attempt by attempt. Its words may quote hostile media: they are text. */
export function JobLog({ job }: { job: JobResource }) {
  const { client } = useApi();
  const { data, error, refetch, isPending } = useQuery({
    queryKey: ['job-log', job.jobId, job.state],
    queryFn: ({ signal }) => client.getJobLog({ params: { id: job.jobId }, signal }),
    // The log of a job that has just ended is another one; until it is there the last one stays.
    placeholderData: keepPreviousData,
    refetchInterval: isUnfinished(job) ? pollMs : false,
  });
  if (error !== null)
    return <Problem title="The log could not be read" error={error} onRetry={() => void refetch()} />;
  if (isPending) return null;
  if (data.attempts.length === 0) {
    return (
      <Section title="Log">
        <Text size="sm" c="dimmed">
          {isUnfinished(job)
            ? 'ffmpeg has not written anything yet.'
            : 'This job ended without running ffmpeg.'}
        </Text>
      </Section>
    );
  }
  return (
    <Stack gap="lg">
      {data.attempts.map(({ attempt, ffmpegVersion, commands, log: words }) => {
        const lines = commands.map((one) => ['ffmpeg', ...one].map(shellQuoted).join(' ')).join('\n\n');
        const log = visibleText(words);
        return (
          <Section
            key={attempt}
            title={data.attempts.length === 1 ? 'Log' : `Attempt ${attempt}`}
            actions={<CopyText text={`${lines}\n\n${log}`} what={`the log of attempt ${attempt}`} />}
          >
            <Text size="sm" c="dimmed" mb="xs">
              <Quoted>{ffmpegVersion}</Quoted>
            </Text>
            <Code block className={classes.text} tabIndex={0} aria-label={`Commands of attempt ${attempt}`}>
              {lines}
            </Code>
            <Code
              block
              mt="sm"
              className={classes.text}
              tabIndex={0}
              aria-label={`Log of attempt ${attempt}`}
            >
              {log}
            </Code>
          </Section>
        );
      })}
    </Stack>
  );
}
