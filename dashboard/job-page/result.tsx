import { Button } from '@mantine/core';
import { useState } from 'react';
import type { JobResource } from '../../core/api/job-resource.ts';
import { inputUrls } from '../../core/jobs/request-inputs.ts';
import { Section } from '../ui/section.tsx';
import { Comparison } from './comparison.tsx';
import { comparisonOffsetSeconds } from './comparison-offset.ts';
import { FilePreview } from './file-preview.tsx';
import { playableInputUrl } from './input-source.ts';
import { MultipleResults } from './multiple-results.tsx';
import { TextPreview } from './text-preview.tsx';

type File = NonNullable<JobResource['output_files']>[string];

/** What came out, to look at: one file, alone or against its input, or the one of several that says most. */
export function Result({ job }: { job: JobResource }) {
  const { output_files: files = {}, outputs = {} } = job;
  const [file, ...others] = Object.values(files);
  if (file === undefined) return null;
  if (others.length > 0) return <MultipleResults files={files} outputs={outputs} />;
  if (file.file_type === 'data' || file.file_type === 'subtitle') return <TextPreview file={file} />;
  return <OneResult job={job} file={file} />;
}

function OneResult({ job, file }: { job: JobResource; file: File }) {
  const [input = '', ...others] = inputUrls(job.request);
  const source = others.length === 0 ? playableInputUrl(input) : undefined;
  const offset = comparisonOffsetSeconds(job);
  const [compares, setCompares] = useState(false);
  if (source === undefined || offset === undefined) {
    return (
      <Section title="Result">
        <FilePreview key={file.file_id} file={file} />
      </Section>
    );
  }
  const toggle = (
    <Button size="xs" variant="default" onClick={() => setCompares(!compares)}>
      {compares ? 'Show the result alone' : 'Compare with the input'}
    </Button>
  );
  return (
    <Section title="Result" actions={toggle}>
      {compares ? (
        <Comparison key={file.file_id} input={source} file={file} offsetSeconds={offset} />
      ) : (
        <FilePreview key={file.file_id} file={file} />
      )}
    </Section>
  );
}
