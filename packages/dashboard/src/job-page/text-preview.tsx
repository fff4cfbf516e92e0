import { Skeleton } from '@mantine/core';
import { replaceUnsafeCharacters } from '@media-jobs/cli/formatting';
import { useQuery } from '@tanstack/react-query';
import type { OutputFile } from '../job/distinct-files.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import { CopyTextButton } from '../ui/copy-buttons.tsx';
import { LoadProblem } from '../ui/error-callout.tsx';
import { Section } from '../ui/section.tsx';

const maxPreviewBytes = 200_000;

/** A result that is text, such as a probe or subtitles. Renders nothing for a large file. */
export function TextPreview({ file }: { file: OutputFile }) {
  const isShort = file.size_mbytes * 1_000_000 <= maxPreviewBytes;
  const query = useQuery({
    queryKey: ['text', file.file_id],
    queryFn: ({ signal }) => readText(file.storage_url, signal),
    enabled: isShort,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!isShort) return null;
  const { data, error } = query;
  if (error !== null) return <LoadProblem of="the result" query={query} />;
  return (
    <Section title="Result" actions={data === undefined ? null : <CopyTextButton text={data} what="the result" />}>
      {data === undefined ? (
        <Skeleton height={240} aria-label="Loading the result" />
      ) : (
        <CodeBlock wraps mah={480} label="Result">
          {replaceUnsafeCharacters(data)}
        </CodeBlock>
      )}
    </Section>
  );
}

async function readText(url: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(url, { signal });
  if (!response.ok) throw new Error(`Expected status 200 from the storage, got ${response.status}.`);
  return response.text();
}
