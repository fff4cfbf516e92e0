import { Image, NativeSelect, SimpleGrid } from '@mantine/core';
import { useState } from 'react';
import type { JobResource } from '../../core/api/job-resource.ts';
import { Section } from '../ui/section.tsx';
import { FilePreview } from './file-preview.tsx';
import { HlsPlayer } from './hls-player.tsx';
import classes from './result.module.css';
import { useStableUrl } from './use-stable-url.ts';

type Files = NonNullable<JobResource['output_files']>;

const mostPictures = 24;

/** What came out of a job that makes several files: a stream, a sheet of pictures, or one of its films to choose. */
export function MultipleResults({ files, outputs }: { files: Files; outputs: Record<string, string> }) {
  const ofType = (type: string) => Object.entries(files).filter(([, file]) => file.file_type === type);
  const { hls } = files;
  if (hls !== undefined && outputs.hls !== undefined) {
    return (
      <Section title="Result">
        <HlsPlayer key={hls.file_id} signedUrl={outputs.hls} files={files} />
      </Section>
    );
  }
  const [pictures, playable] = [ofType('image'), [...ofType('video'), ...ofType('audio')]];
  if (playable.length > 0) return <OneOfMany files={Object.fromEntries(playable)} />;
  return pictures.length > 0 ? <Pictures files={pictures.map(([, file]) => file)} /> : null;
}

function OneOfMany({ files }: { files: Files }) {
  const names = Object.keys(files);
  const [name, setName] = useState(names[0] ?? '');
  const file = files[name];
  const choice = (
    <NativeSelect
      size="xs"
      aria-label="Which file is shown"
      data={names}
      value={name}
      onChange={({ currentTarget }) => setName(currentTarget.value)}
    />
  );
  if (file === undefined) return null;
  return (
    <Section title="Result" actions={choice}>
      <FilePreview key={file.file_id} file={file} />
    </Section>
  );
}

function Pictures({ files }: { files: readonly Files[string][] }) {
  return (
    <Section title="Result">
      <SimpleGrid cols={{ base: 2, sm: 3, md: 4 }} spacing="sm">
        {files.slice(0, mostPictures).map((file) => (
          <Picture key={file.file_id} file={file} />
        ))}
      </SimpleGrid>
    </Section>
  );
}

function Picture({ file }: { file: Files[string] }) {
  const { url, onError } = useStableUrl(file.storage_url);
  return (
    <Image
      src={url}
      alt={file.filename}
      loading="lazy"
      onError={onError}
      className={classes.picture}
      style={{ aspectRatio: `${file.width ?? 16} / ${file.height ?? 9}` }}
    />
  );
}
