import { Code, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { JobResource } from '../../core/api/job-resource.ts';
import { sanitizeText } from '../format/sanitize-text.ts';
import { CopyTextButton } from '../ui/copy-buttons.tsx';
import { ErrorCallout } from '../ui/error-callout.tsx';
import { Section } from '../ui/section.tsx';
import classes from './job-log.module.css';

type File = NonNullable<JobResource['output_files']>[string];

/** More would be no preview. */
const mostBytes = 200_000;

/** A result that is read: what a probe found, or subtitles. Left out where it is long. */
export function TextPreview({ file }: { file: File }) {
  const isShort = file.size_mbytes * 1_000_000 <= mostBytes;
  const { data, error, refetch } = useQuery({
    queryKey: ['text', file.file_id],
    queryFn: ({ signal }) => readText(file.storage_url, signal),
    enabled: isShort,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!isShort) return null;
  if (error !== null) {
    return <ErrorCallout title="The result could not be read" error={error} onRetry={() => void refetch()} />;
  }
  return (
    <Section
      title="Result"
      actions={data === undefined ? null : <CopyTextButton text={data} what="the result" />}
    >
      {data === undefined ? (
        <Skeleton height={240} aria-label="Loading the result" />
      ) : (
        <Code block className={classes.text} tabIndex={0} aria-label="Result">
          {sanitizeText(data)}
        </Code>
      )}
    </Section>
  );
}

async function readText(url: string, signal: AbortSignal): Promise<string> {
  const answer = await fetch(url, { signal });
  if (!answer.ok) throw new Error(`The storage answered ${answer.status}.`);
  return answer.text();
}
