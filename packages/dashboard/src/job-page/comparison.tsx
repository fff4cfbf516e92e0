import { ActionIcon, Group } from '@mantine/core';
import { formatDuration } from '@media-jobs/cli/formatting';
import { Pause, Play } from 'lucide-react';
import { useRef, useState } from 'react';
import type { OutputFile } from '../job/distinct-files.ts';
import media from '../ui/media-view.module.css';
import { useStableUrl } from '../ui/media-view.tsx';
import { Note } from '../ui/text.tsx';
import { FilePreview } from './file-preview.tsx';
import classes from './result.module.css';

type Props = {
  input: string;
  file: OutputFile;
  /** Position in the input of the result's first frame. */
  offsetSeconds: number;
};

/** Input and result, one over the other, with a divider that can be moved by pointer or keyboard. */
export function Comparison({ input, file, offsetSeconds }: Props) {
  const [inputPercent, setInputPercent] = useState(50);
  const shown = useStableUrl(input);
  const { url, hasFailed: hasResultFailed, onError: onResultError } = useStableUrl(file.storage_url);
  const isVideo = file.file_type === 'video';
  const videos = useSyncedVideos(offsetSeconds);
  if (hasResultFailed) return <FilePreview file={file} />;
  if (shown.hasFailed) {
    return <Note>This browser cannot show the input: its host may forbid it, or the codec is not supported.</Note>;
  }
  const overlay = {
    src: shown.url,
    onError: shown.onError,
    style: { position: 'absolute', inset: 0, clipPath: `inset(0 ${100 - inputPercent}% 0 0)` },
  } as const;
  return (
    <>
      <div className={media.stage} style={{ aspectRatio: `${file.width ?? 16} / ${file.height ?? 9}` }}>
        {isVideo ? (
          <>
            <video ref={videos.result} {...videos.events} muted {...eager} src={url} onError={onResultError} />
            <video ref={videos.input} {...overlay} muted {...eager} onLoadedMetadata={videos.align} />
          </>
        ) : (
          <>
            <img src={url} alt="Result" onError={onResultError} />
            <img {...overlay} alt="Input" />
          </>
        )}
        <input
          type="range"
          className={classes.divider}
          min={0}
          max={100}
          value={inputPercent}
          onChange={({ currentTarget }) => setInputPercent(Number(currentTarget.value))}
          aria-label="Share of the input"
          aria-valuetext={`${inputPercent}% input, ${100 - inputPercent}% result`}
        />
        <div className={classes.line} style={{ left: `calc(${inputPercent}% - 1px)` }} />
        <span className={classes.side} style={{ insetInlineStart: 10 }}>
          Input
        </span>
        <span className={classes.side} style={{ insetInlineEnd: 10 }}>
          Result
        </span>
      </div>
      {isVideo ? <Controls videos={videos} durationSeconds={file.duration ?? 0} /> : null}
    </>
  );
}

const eager = { playsInline: true, preload: 'auto' } as const;

type ControlsProps = { videos: ReturnType<typeof useSyncedVideos>; durationSeconds: number };

function Controls({ videos, durationSeconds }: ControlsProps) {
  return (
    <Group className={classes.controls} gap={12} mt={12} wrap="nowrap">
      <ActionIcon
        variant="default"
        size="lg"
        onClick={videos.toggle}
        aria-label={videos.isPlaying ? 'Pause both' : 'Play both'}
      >
        {videos.isPlaying ? <Pause size={16} aria-hidden /> : <Play size={16} aria-hidden />}
      </ActionIcon>
      <input
        type="range"
        min={0}
        max={durationSeconds}
        step={0.04}
        value={videos.seconds}
        onChange={({ currentTarget }) => videos.seek(Number(currentTarget.value))}
        aria-label="Position"
        aria-valuetext={formatDuration(videos.seconds)}
      />
      <Note className="numbers">
        {formatDuration(videos.seconds)} of {formatDuration(durationSeconds)}
      </Note>
    </Group>
  );
}

/** A larger offset between the two videos is visible. */
const maxDriftSeconds = 0.08;

/**
 * Plays two videos in sync: the result leads, and the input follows.
 * @param offsetSeconds position in the input of the result's first frame
 */
function useSyncedVideos(offsetSeconds: number) {
  const result = useRef<HTMLVideoElement>(null);
  const input = useRef<HTMLVideoElement>(null);
  const [isPlaying, setIsPlaying] = useState(false);
  const [seconds, setSeconds] = useState(0);

  const alignInput = () => {
    const [leader, follower] = [result.current, input.current];
    if (leader === null || follower === null) return;
    setSeconds(leader.currentTime);
    const position = leader.currentTime + offsetSeconds;
    if (Math.abs(follower.currentTime - position) > maxDriftSeconds) follower.currentTime = position;
  };
  const seek = (to: number) => {
    if (result.current !== null) result.current.currentTime = to;
    alignInput();
  };
  const toggle = () => {
    for (const video of [result.current, input.current]) {
      if (isPlaying) video?.pause();
      else void video?.play().catch(() => undefined);
    }
  };
  const events = {
    onTimeUpdate: alignInput,
    onSeeked: alignInput,
    onPlay: () => setIsPlaying(true),
    onPause: () => setIsPlaying(false),
    onEnded: () => input.current?.pause(),
  };
  return { result, input, events, isPlaying, seconds, seek, toggle, align: alignInput };
}
