import { Stack } from '@mantine/core';
import { replaceUnsafeCharacters, shellQuote } from '@media-jobs/cli/formatting';
import type { JobResource } from '@media-jobs/core/api';
import { keepPreviousData } from '@tanstack/react-query';
import { useRead } from '../api/use-read.ts';
import { isUnfinished } from '../job/use-job.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import { CopyTextButton } from '../ui/copy-buttons.tsx';
import { LoadProblem } from '../ui/error-callout.tsx';
import { Section } from '../ui/section.tsx';
import { Note, UntrustedLine } from '../ui/text.tsx';

const pollMs = 3_000;

/** The commands and the output of ffmpeg by attempt. The output may quote hostile media, so it is sanitized. */
export function JobLog({ job }: { job: JobResource }) {
  const query = useRead({
    key: ['job-log', job.jobId, job.state],
    read: (client, signal) => client.getJobLog({ params: { id: job.jobId }, signal }),
    // The query key changes when the job ends. Show the previous log until the final one is loaded.
    placeholderData: keepPreviousData,
    refetchInterval: isUnfinished(job) ? pollMs : false,
  });
  const { data } = query;
  const problem = <LoadProblem of="the log" query={query} />;
  if (data === undefined) return problem;
  if (data.attempts.length === 0) {
    return (
      <Section title="Log">
        <Note>{isUnfinished(job) ? 'No output from ffmpeg yet.' : 'This job ended without running ffmpeg.'}</Note>
      </Section>
    );
  }
  return (
    <Stack gap="lg">
      {problem}
      {data.attempts.map(({ attempt, ffmpegVersion, commands, log: rawLog }) => {
        const lines = commands.map((args) => ['ffmpeg', ...args].map(shellQuote).join(' ')).join('\n\n');
        const log = replaceUnsafeCharacters(rawLog);
        return (
          <Section
            key={attempt}
            title={data.attempts.length === 1 ? 'Log' : `Attempt ${attempt}`}
            actions={<CopyTextButton text={`${lines}\n\n${log}`} what={`the log of attempt ${attempt}`} />}
          >
            <UntrustedLine c="dimmed" mb="xs">
              {ffmpegVersion}
            </UntrustedLine>
            <CodeBlock wraps mah={480} label={`Commands of attempt ${attempt}`}>
              {lines}
            </CodeBlock>
            <CodeBlock wraps mt="sm" mah={480} label={`Log of attempt ${attempt}`}>
              {log}
            </CodeBlock>
          </Section>
        );
      })}
    </Stack>
  );
}
