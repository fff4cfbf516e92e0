import { Image, NativeSelect, SimpleGrid, Text } from '@mantine/core';
import { formatNumber } from '@media-jobs/cli/formatting';
import { useState } from 'react';
import { useStableUrl } from '../ui/media-view.tsx';
import { Section } from '../ui/section.tsx';
import { FilePreview } from './file-preview.tsx';
import { HlsPlayer } from './hls-player.tsx';
import type { OutputFile } from './output-file.ts';
import { PlaybackUrls, type Played } from './playback-urls.tsx';
import classes from './result.module.css';
import { SpriteScrubber } from './sprite-scrubber.tsx';

const maxImages = 24;

/** The result of a job with several files: a stream, a sprite, one file to choose if there is video or audio, or a grid of images. */
export function MultipleResults({
  files,
  outputs,
  played,
}: {
  files: Record<string, OutputFile>;
  outputs: Record<string, string>;
  /** Undefined before the job is completed. */
  played: Played | undefined;
}) {
  const filesOfType = (type: string) => Object.entries(files).filter(([, file]) => file.file_type === type);
  const { hls, vtt } = files;
  if (hls !== undefined && outputs.hls !== undefined) {
    return (
      <Section title="Play">
        <HlsPlayer key={hls.file_id} signedUrl={outputs.hls} files={files} />
        {played === undefined ? null : <PlaybackUrls {...played} />}
      </Section>
    );
  }
  if (vtt !== undefined && outputs.vtt !== undefined) {
    return <SpriteScrubber key={vtt.file_id} cuesUrl={outputs.vtt} fileId={vtt.file_id} />;
  }
  const [images, playable] = [filesOfType('image'), [...filesOfType('video'), ...filesOfType('audio')]];
  if (playable.length > 0) return <FileChooser files={Object.fromEntries([...playable, ...images])} />;
  return images.length > 0 ? <ImageGrid files={images.map(([, file]) => file)} /> : null;
}

function FileChooser({ files }: { files: Record<string, OutputFile> }) {
  const names = Object.keys(files);
  // The result of the last step of a pipeline, beside the results of named steps.
  const [name, setName] = useState('output' in files ? 'output' : (names[0] ?? ''));
  const file = files[name];
  const choice = (
    <NativeSelect
      size="xs"
      aria-label="File to show"
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

function ImageGrid({ files }: { files: readonly OutputFile[] }) {
  return (
    <Section title="Result">
      <SimpleGrid cols={{ base: 2, sm: 3, md: 4 }} spacing="sm">
        {files.slice(0, maxImages).map((file) => (
          <ResultImage key={file.file_id} file={file} />
        ))}
      </SimpleGrid>
      {files.length > maxImages ? (
        <Text size="sm" c="dimmed" mt="sm">
          The first {maxImages} of {formatNumber(files.length)} images. All are in the list of files.
        </Text>
      ) : null}
    </Section>
  );
}

function ResultImage({ file }: { file: OutputFile }) {
  const { url, onError } = useStableUrl(file.storage_url);
  return (
    <Image
      src={url}
      alt={file.filename}
      loading="lazy"
      onError={onError}
      className={classes.image}
      style={{ aspectRatio: `${file.width ?? 16} / ${file.height ?? 9}` }}
    />
  );
}
