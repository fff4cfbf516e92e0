import { Button, NativeSelect, Stack, Text } from '@mantine/core';
import type { JobResource } from '@media-jobs/core/api';
import { useState } from 'react';
import { useComparison } from '../job/use-recipes.ts';
import { StorageProviderName } from '../storage/storage-provider-name.tsx';
import { Section } from '../ui/section.tsx';
import { Comparison } from './comparison.tsx';
import { comparisonOffsetSeconds } from './comparison-offset.ts';
import { FilePreview } from './file-preview.tsx';
import { InputView, playableInputUrl } from './input-view.tsx';
import { MultipleResults } from './multiple-results.tsx';
import type { OutputFile } from './output-file.ts';
import { TextPreview } from './text-preview.tsx';

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
      <NativeSelect
        label="Output to show"
        data={names}
        value={name}
        onChange={({ currentTarget }) => setChosen(currentTarget.value)}
      />
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
      <Text size="sm" c="dimmed">
        The files of this job have expired. Only those at a storage provider remain, in your bucket. Duplicate the job
        to make the files again.
      </Text>
    </Section>
  );
}

/** The Content-Security-Policy of the page allows media from the bucket of the stage only. */
function NoPreview({ id }: { id: string }) {
  return (
    <Section title="Result">
      <Text size="sm" c="dimmed">
        There is no preview: the files are at the storage provider <StorageProviderName id={id} />, and this page loads
        media from its own storage only. Open a file below to view it.
      </Text>
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
