import { ActionIcon, Text } from '@mantine/core';
import { Pause, Play } from 'lucide-react';
import { useState } from 'react';
import type { JobResource } from '../../core/api/job-resource.ts';
import { formatDuration } from '../../formatting/quantities.ts';
import { FilePreview } from './file-preview.tsx';
import classes from './result.module.css';
import { useStableUrl } from './use-stable-url.ts';
import { useSyncedVideos } from './use-synced-videos.ts';

type File = NonNullable<JobResource['output_files']>[string];
type Props = {
  input: string;
  file: File;
  /** Of the input, before the result's first frame. */
  offsetSeconds: number;
};

/** The input and the result in one frame, with a line between them that can be moved by pointer and by keys. */
export function Comparison({ input, file, offsetSeconds }: Props) {
  const [share, setShare] = useState(50);
  const [failed, setFailed] = useState(false);
  const { url, failed: isGone, onError: onGone } = useStableUrl(file.storage_url);
  const isVideo = file.file_type === 'video';
  const pair = useSyncedVideos(offsetSeconds);
  if (isGone) return <FilePreview file={file} />;
  if (failed) {
    return (
      <Text size="sm" c="dimmed">
        The input cannot be shown here: its host may not allow it, or this browser may not know its codec.
      </Text>
    );
  }
  const clip = { clipPath: `inset(0 ${100 - share}% 0 0)` };
  const onError = () => setFailed(true);
  return (
    <>
      <div className={classes.stage} style={{ aspectRatio: `${file.width ?? 16} / ${file.height ?? 9}` }}>
        {isVideo ? (
          <>
            <video
              ref={pair.result}
              {...pair.events}
              muted
              playsInline
              preload="auto"
              src={url}
              onError={onGone}
            />
            <video
              ref={pair.input}
              className={classes.over}
              style={clip}
              muted
              playsInline
              preload="auto"
              src={input}
              onLoadedMetadata={pair.align}
              onError={onError}
            />
          </>
        ) : (
          <>
            <img src={url} alt="Result" onError={onGone} />
            <img className={classes.over} style={clip} src={input} alt="Input" onError={onError} />
          </>
        )}
        <input
          type="range"
          className={classes.divide}
          min={0}
          max={100}
          value={share}
          onChange={({ currentTarget }) => setShare(Number(currentTarget.value))}
          aria-label="How much of the input shows"
          aria-valuetext={`${share} % input, ${100 - share} % result`}
        />
        <div className={classes.line} style={{ left: `calc(${share}% - 1px)` }} />
        <span className={classes.side} data-side="input">
          Input
        </span>
        <span className={classes.side} data-side="result">
          Result
        </span>
      </div>
      {isVideo ? <Controls pair={pair} durationSeconds={file.duration ?? 0} /> : null}
    </>
  );
}

function Controls({
  pair,
  durationSeconds,
}: {
  pair: ReturnType<typeof useSyncedVideos>;
  durationSeconds: number;
}) {
  return (
    <div className={classes.controls}>
      <ActionIcon
        variant="default"
        size="lg"
        onClick={pair.toggle}
        aria-label={pair.plays ? 'Pause both' : 'Play both'}
      >
        {pair.plays ? <Pause size={16} aria-hidden /> : <Play size={16} aria-hidden />}
      </ActionIcon>
      <input
        type="range"
        min={0}
        max={durationSeconds}
        step={0.04}
        value={pair.seconds}
        onChange={({ currentTarget }) => pair.seek(Number(currentTarget.value))}
        aria-label="Position"
        aria-valuetext={formatDuration(pair.seconds)}
      />
      <Text size="sm" c="dimmed" className="numbers">
        {formatDuration(pair.seconds)} of {formatDuration(durationSeconds)}
      </Text>
    </div>
  );
}
