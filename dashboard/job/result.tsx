import { Button, Image, SimpleGrid } from '@mantine/core';
import { useState } from 'react';
import type { JobResource } from '../../core/api/job-resource.ts';
import { inputsOf } from '../jobs/inputs-of.ts';
import { Section } from '../shell/section.tsx';
import { offsetOf } from './comparable.ts';
import { Comparison } from './comparison.tsx';
import { sourceOf } from './input-source.ts';
import { Preview } from './preview.tsx';
import classes from './result.module.css';
import { TextPreview } from './text-preview.tsx';

const mostPictures = 24;

type File = NonNullable<JobResource['output_files']>[string];

/** What came out, to look at: one file, alone or against its input, or a sheet of pictures. */
export function Result({ job }: { job: JobResource }) {
  const files = Object.values(job.output_files ?? {});
  const [first] = files;
  if (first === undefined) return null;
  if (files.length > 1) return <Pictures files={files} />;
  if (first.file_type === 'playlist') return null;
  if (first.file_type === 'data' || first.file_type === 'subtitle') return <TextPreview file={first} />;
  return <OneResult job={job} file={first} />;
}

function OneResult({ job, file }: { job: JobResource; file: File }) {
  const [input = '', ...others] = inputsOf(job.request);
  const source = others.length === 0 ? sourceOf(input) : undefined;
  const offset = offsetOf(job);
  const [compares, setCompares] = useState(false);
  if (source === undefined || offset === undefined) {
    return (
      <Section title="Result">
        <Preview file={file} />
      </Section>
    );
  }
  const toggle = (
    <Button size="xs" variant="default" onClick={() => setCompares(!compares)} aria-pressed={compares}>
      Compare with the input
    </Button>
  );
  return (
    <Section title="Result" actions={toggle}>
      {compares ? <Comparison input={source} file={file} offsetSeconds={offset} /> : <Preview file={file} />}
    </Section>
  );
}

function Pictures({ files }: { files: readonly File[] }) {
  const pictures = files.filter(({ file_type: type }) => type === 'image').slice(0, mostPictures);
  if (pictures.length === 0) return null;
  return (
    <Section title="Result">
      <SimpleGrid cols={{ base: 2, sm: 3, md: 4 }} spacing="sm">
        {pictures.map((file) => (
          <Image
            key={file.file_id}
            src={file.storage_url}
            alt={file.filename}
            loading="lazy"
            className={classes.picture}
            style={{ aspectRatio: `${file.width ?? 16} / ${file.height ?? 9}` }}
          />
        ))}
      </SimpleGrid>
    </Section>
  );
}
