import { Group, Image, NativeSelect, SimpleGrid, Skeleton } from '@mantine/core';
import { formatDuration, formatNumber } from '@media-jobs/cli/formatting';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { OutputFile } from '../job/distinct-files.ts';
import media from '../ui/media-view.module.css';
import { useStableUrl } from '../ui/media-view.tsx';
import { Section } from '../ui/section.tsx';
import { Note } from '../ui/text.tsx';
import { typed } from '../ui/typed.ts';
import { attachStream } from './attach-stream.ts';
import { FilePreview } from './file-preview.tsx';
import { PlaybackUrls, type Played } from './playback-urls.tsx';
import classes from './result.module.css';
import { cueStyle, readCues } from './sprite-cues.ts';

const maxImages = 24;

type Props = {
  files: Record<string, OutputFile>;
  outputs: Record<string, string>;
  /** Undefined before the job is completed. */
  played: Played | undefined;
};

/** The result of a job with several files: a stream, a sprite, one file to choose if there is video or audio, or a grid of images. */
export function MultipleResults({ files, outputs, played }: Props) {
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
  const choice = <NativeSelect size="xs" aria-label="File to show" data={names} {...typed(name, setName)} />;
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
        <Note mt="sm">
          The first {maxImages} of {formatNumber(files.length)} images. All are in the list of files.
        </Note>
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
      radius={8}
      fit="contain"
      bg="var(--hover)"
      style={{ aspectRatio: `${file.width ?? 16} / ${file.height ?? 9}` }}
    />
  );
}

/** The thumbnails of a sprite as the seek bar of a player shows them: one for each position. */
function SpriteScrubber({ cuesUrl, fileId }: { cuesUrl: string; fileId: string }) {
  const { data: cues, isPending } = useQuery({
    queryKey: ['sprite', fileId],
    queryFn: ({ signal }) => readCues(cuesUrl, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [index, setIndex] = useState(0);
  const cue = cues?.[index];
  if (isPending) return <Skeleton height={160} aria-label="Loading the thumbnails" />;
  if (cues === undefined || cue === undefined) return null;
  const time = `${formatDuration(cue.start)} to ${formatDuration(cue.end)}`;
  return (
    <Section title="Seek bar preview">
      <div role="img" aria-label={`Thumbnail of ${time}`} style={cueStyle(cue)} />
      <Group className={classes.controls} gap={12} mt={12} wrap="nowrap">
        <input
          type="range"
          min={0}
          max={cues.length - 1}
          value={index}
          onChange={({ currentTarget }) => setIndex(Number(currentTarget.value))}
          aria-label="Thumbnail"
          aria-valuetext={time}
        />
        <Note className="numbers">{time}</Note>
      </Group>
    </Section>
  );
}

/** Plays an HLS playlist, which the API fills with signed URLs. */
function HlsPlayer({ signedUrl, files }: { signedUrl: string; files: Record<string, OutputFile> }) {
  const video = useRef<HTMLVideoElement>(null);
  const { url, hasFailed, onError } = useStableUrl(signedUrl);
  const onErrorRef = useRef(onError);
  onErrorRef.current = onError;
  useEffect(() => {
    if (video.current === null) return;
    return attachHlsPlayer(video.current, { url, onError: () => onErrorRef.current() });
  }, [url]);
  if (hasFailed) {
    return (
      <Note>
        This browser cannot play the stream: it may not support HLS, or the storage cannot be reached. Copy the URL from
        the list of files.
      </Note>
    );
  }
  const rendition = Object.values(files).find(({ width }) => width !== undefined);
  return (
    <div className={media.stage} style={{ aspectRatio: `${rendition?.width ?? 16} / ${rendition?.height ?? 9}` }}>
      {/* biome-ignore lint/a11y/useMediaCaption: hls.js adds the subtitles of the stream. */}
      <video ref={video} controls playsInline preload="metadata" aria-label="Result" />
    </div>
  );
}

/** Attaches hls.js, loaded on demand, to a video element. Call the returned function to detach it. */
function attachHlsPlayer(video: HTMLVideoElement, { url, onError }: { url: string; onError: () => void }): () => void {
  const detached = new AbortController();
  void import('hls.js').then(({ default: Hls }) => {
    if (detached.signal.aborted) return;
    // hls.js creates its worker from a blob: URL, which the content security policy forbids.
    const player = attachStream(Hls, video, { url, config: { enableWorker: false }, onError });
    if (player === undefined) {
      // Safari plays HLS natively.
      video.addEventListener('error', onError, { signal: detached.signal });
      video.src = url;
      return;
    }
    detached.signal.addEventListener('abort', () => player.destroy());
  }, onError);
  return () => detached.abort();
}
