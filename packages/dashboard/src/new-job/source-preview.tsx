import { RangeSlider } from '@mantine/core';
import { formatDuration } from '@media-jobs/cli/formatting';
import { useRef, useState } from 'react';
import { kindOfName, type MediaFrame, MediaView } from '../ui/media-view.tsx';
import type { Draft } from './draft.ts';
import type { KnownSource } from './original-media.ts';
import { PlaceGrid } from './place-grid.tsx';
import classes from './source-preview.module.css';
import { useMediaUrl } from './use-media-url.ts';

type Props = {
  draft: Draft;
  known: KnownSource | undefined;
  onChange: (changes: Pick<Draft, 'parameters'>) => void;
};

/** Whether the preview of the source sets parameters of the recipe, so that it stands beside them. */
export function hasHandles({ recipe: { name }, parameters, earlierSteps, preset }: Draft): boolean {
  if (preset !== undefined || earlierSteps.length > 0) return false;
  return name === 'clip' || name === 'watermark' || (name === 'resize' && parameters.fit === 'cover');
}

/** The source as this browser plays it, with handles for the start and the end of a clip, or for the place of an image or a crop. */
export function SourcePreview({ draft, known, onChange }: Props) {
  const [source = ''] = draft.sources;
  const url = useMediaUrl(source) ?? (source === known?.source ? known.url : undefined);
  const [frame, setFrame] = useState<MediaFrame>();
  const video = useRef<HTMLVideoElement>(null);
  if (url === undefined) return null;
  const name = source instanceof File ? source.name : source;
  const set = (values: Record<string, unknown>) => onChange({ parameters: { ...draft.parameters, ...values } });
  const isEdited = frame !== undefined && hasHandles(draft);
  const isClip = draft.recipe.name === 'clip';
  return (
    <div className={classes.preview}>
      <MediaView
        key={url}
        signedUrl={url}
        kind={kindOfName(name)}
        label="Source"
        frame={frame ? { width: frame.width, height: frame.height } : {}}
        video={video}
        onFrame={setFrame}
        unplayable="No preview: this browser cannot play the file, or its host does not allow it. The job may still read it."
      >
        {isEdited && !isClip ? <PlaceGrid draft={draft} frame={frame} onChange={set} /> : null}
      </MediaView>
      {isEdited && isClip ? (
        <ClipHandles
          parameters={draft.parameters}
          seconds={frame.seconds}
          onChange={set}
          onSeek={(to) => {
            if (video.current !== null) video.current.currentTime = to;
          }}
        />
      ) : null}
    </div>
  );
}

type ClipHandlesProps = {
  parameters: Draft['parameters'];
  /** The duration of the source. */
  seconds: number;
  onChange: (values: { start?: number | undefined; end?: number | undefined }) => void;
  onSeek: (seconds: number) => void;
};

const minClipSeconds = 0.1;

/** Two handles over the length of the source. The video shows the frame of the one that moves. */
function ClipHandles({ parameters, seconds, onChange, onSeek }: ClipHandlesProps) {
  const last = Math.floor(seconds * 10) / 10;
  const numberOr = (value: unknown, fallback: number) => (typeof value === 'number' ? value : fallback);
  const range: [number, number] = [numberOr(parameters.start, 0), Math.min(last, numberOr(parameters.end, last))];
  const move = ([start, end]: [number, number]) => {
    onSeek(start === range[0] ? end : start);
    onChange({ start: start === 0 ? undefined : start, end: end >= last ? undefined : end });
  };
  return (
    <div className={classes.handles}>
      <span className="numbers">{formatDuration(range[0])}</span>
      <RangeSlider
        flex={1}
        min={0}
        max={last}
        step={0.1}
        minRange={minClipSeconds}
        value={range}
        label={null}
        onChange={move}
        thumbFromLabel="First frame"
        thumbToLabel="Last frame"
      />
      <span className="numbers">{formatDuration(range[1])}</span>
    </div>
  );
}
