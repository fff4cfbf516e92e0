import { Button, NativeSelect, Skeleton, Stack } from '@mantine/core';
import { replaceUnsafeCharacters } from '@media-jobs/cli/formatting';
import { inputUrls, type JobResource } from '@media-jobs/core/api';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { OutputFile } from '../job/distinct-files.ts';
import { useComparison } from '../job/use-recipes.ts';
import { StorageProviderName } from '../storage/storage-provider-name.tsx';
import { CodeBlock } from '../ui/code-block.tsx';
import { CopyTextButton } from '../ui/copy-buttons.tsx';
import { LoadProblem } from '../ui/error-callout.tsx';
import { kindOfName, MediaView } from '../ui/media-view.tsx';
import { Section } from '../ui/section.tsx';
import { Note } from '../ui/text.tsx';
import { typed } from '../ui/typed.ts';
import { Comparison } from './comparison.tsx';
import { comparisonOffsetSeconds } from './comparison-offset.ts';
import { FilePreview } from './file-preview.tsx';
import { MultipleResults } from './multiple-results.tsx';

/** A preview of the result with its input: over it, or below a result that has another shape. */
export function Result({ job }: { job: JobResource }) {
  const isCompared = comparisonOffsetSeconds(job, useComparison(job)) !== undefined;
  return (
    <>
      <Files job={job} />
      {isCompared ? null : <InputView job={job} />}
    </>
  );
}

/** One file, or the most telling of several. */
function Files({ job }: { job: JobResource }) {
  const { output_files: files = {}, outputs = {} } = job;
  const [file, ...others] = Object.values(files);
  if (file === undefined) return job.state === 'completed' ? <FilesExpired /> : null;
  if (job.request.outputs !== undefined) return <ResultByOutput job={job} />;
  if (file.storage_provider_id !== undefined) return <NoPreview id={file.storage_provider_id} />;
  if (others.length > 0) return <MultipleResults files={files} outputs={outputs} played={playedOf(job)} />;
  if (file.file_type === 'data' || file.file_type === 'subtitle') return <TextPreview file={file} />;
  return <SingleResult job={job} file={file} />;
}

/** The result of a job of several outputs: one of those that are finished, to choose. */
function ResultByOutput({ job }: { job: JobResource }) {
  const { output_files: files = {}, outputs = {}, request } = job;
  const names = Object.keys(request.outputs ?? {}).filter((each) => files[each] !== undefined);
  const [chosen, setChosen] = useState<string>();
  const name = chosen !== undefined && names.includes(chosen) ? chosen : (names[0] ?? '');
  const file = files[name];
  if (file === undefined) return null;
  const set = filesOfSet(files, name);
  const { recipe, from } = request.outputs?.[name] ?? {};
  // An output of another one has no common timeline with the input.
  const alone = { ...request, outputs: undefined, ...(from === undefined && { recipe }) };
  return (
    <Stack gap="xs">
      <NativeSelect label="Output to show" data={names} {...typed(name, setChosen)} />
      {Object.keys(set).length === 0 || file.storage_provider_id !== undefined ? (
        <Files key={name} job={{ ...job, output_files: { output: file }, outputs: undefined, request: alone }} />
      ) : (
        <MultipleResults key={name} files={set} outputs={filesOfSet(outputs, name)} played={playedOf(job, name)} />
      )}
    </Stack>
  );
}

function playedOf({ jobId, state }: JobResource, output?: string) {
  return state === 'completed' ? { jobId, output } : undefined;
}

/** The values whose names begin with an output and a slash, under the rest of their names. */
function filesOfSet<Value>(values: Readonly<Record<string, Value>>, name: string): Record<string, Value> {
  const prefix = `${name}/`;
  const ofSet = Object.entries(values).filter(([each]) => each.startsWith(prefix));
  return Object.fromEntries(ofSet.map(([each, value]) => [each.slice(prefix.length), value]));
}

function FilesExpired() {
  return (
    <Section title="Result">
      <Note>
        The files of this job have expired. Only those at a storage provider remain, in your bucket. Duplicate the job
        to make the files again.
      </Note>
    </Section>
  );
}

/** The Content-Security-Policy of the page allows media from the bucket of the stage only. */
function NoPreview({ id }: { id: string }) {
  return (
    <Section title="Result">
      <Note>
        There is no preview: the files are at the storage provider <StorageProviderName id={id} />, and this page loads
        media from its own storage only. Open a file below to view it.
      </Note>
    </Section>
  );
}

function SingleResult({ job, file }: { job: JobResource; file: OutputFile }) {
  const source = playableInputUrl(job);
  const offset = comparisonOffsetSeconds(job, useComparison(job));
  const [isComparing, setIsComparing] = useState(false);
  if (source === undefined || offset === undefined) {
    return (
      <Section title="Result">
        <FilePreview key={file.file_id} file={file} />
      </Section>
    );
  }
  const toggle = (
    <Button size="xs" variant="default" onClick={() => setIsComparing(!isComparing)}>
      {isComparing ? 'Show result only' : 'Compare with input'}
    </Button>
  );
  return (
    <Section title="Result" actions={toggle}>
      {isComparing ? (
        <Comparison key={file.file_id} input={source} file={file} offsetSeconds={offset} />
      ) : (
        <FilePreview key={file.file_id} file={file} />
      )}
    </Section>
  );
}

/** A URL at which this browser can load the one input of a job: that of a kept upload, or its own. */
function playableInputUrl({ input, request }: JobResource): string | undefined {
  const [url = '', ...others] = inputUrls(request);
  if (others.length > 0) return undefined;
  return input?.signedUrl ?? (/^https?:/i.test(url) ? url : undefined);
}

/** The input of a job whose result is not shown over it. It is loaded on request: its host may count. */
function InputView({ job }: { job: JobResource }) {
  const [isShown, setIsShown] = useState(false);
  const url = playableInputUrl(job);
  if (url === undefined) return null;
  const [name = ''] = inputUrls(job.request);
  const toggle = (
    <Button size="xs" variant="default" aria-expanded={isShown} onClick={() => setIsShown(!isShown)}>
      {isShown ? 'Hide input' : 'Show input'}
    </Button>
  );
  return (
    <Section title="Input" actions={toggle}>
      {isShown ? (
        <MediaView
          key={name}
          signedUrl={url}
          kind={kindOfName(name)}
          label="Input"
          unplayable="This browser cannot show the input: it may not play this format, its host may forbid it, or the file is gone."
        />
      ) : null}
    </Section>
  );
}

const maxPreviewBytes = 200_000;

/** A result that is text, such as a probe or subtitles. Renders nothing for a large file. */
function TextPreview({ file }: { file: OutputFile }) {
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
