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

/** Recipes of a part of the source. */
const excerpts = ['clip', 'gif', 'animated-webp'];

/** Whether the preview of the source sets parameters of the recipe, so that it stands beside them. */
export function hasHandles({ recipe: { name }, parameters, earlierSteps, preset }: Draft): boolean {
  if (preset !== undefined || earlierSteps.length > 0) return false;
  return excerpts.includes(name) || name === 'watermark' || (name === 'resize' && parameters.fit === 'cover');
}

/** The source as this browser plays it, with handles for the start and the end of a part, or for the place of an image or a crop. */
export function SourcePreview({ draft, known, onChange }: Props) {
  const [source = ''] = draft.sources;
  const url = useMediaUrl(source) ?? (source === known?.source ? known.url : undefined);
  const [frame, setFrame] = useState<MediaFrame>();
  const video = useRef<HTMLVideoElement>(null);
  if (url === undefined) return null;
  const name = source instanceof File ? source.name : source;
  const set = (values: Record<string, unknown>) => onChange({ parameters: { ...draft.parameters, ...values } });
  const isEdited = frame !== undefined && hasHandles(draft);
  const isExcerpt = excerpts.includes(draft.recipe.name);
  return (
    <div className={classes.preview}>
      <MediaView
        key={url}
        signedUrl={url}
        kind={kindOfName(name)}
        label="Source"
        frame={frame ? { width: frame.width, height: frame.height } : {}}
        // The recipes below stay in view.
        maxHeight="300px"
        video={video}
        onFrame={setFrame}
        unplayable={`No preview: this browser cannot play the file${source instanceof File ? '' : ', or its host does not allow it'}. The job may still read it.`}
      >
        {isEdited && !isExcerpt ? <PlaceGrid draft={draft} frame={frame} onChange={set} /> : null}
      </MediaView>
      {isEdited && isExcerpt ? (
        <ExcerptHandles
          draft={draft}
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

type ExcerptHandlesProps = {
  draft: Draft;
  /** The duration of the source. */
  seconds: number;
  onChange: (values: Record<string, number | undefined>) => void;
  onSeek: (seconds: number) => void;
};

const stepSeconds = 0.1;

/** Two handles over the length of the source. The video shows the frame of the one that moves. */
function ExcerptHandles({ draft: { recipe, parameters }, seconds, onChange, onSeek }: ExcerptHandlesProps) {
  const last = Math.floor(seconds * 10) / 10;
  // An animation has a length in place of an end.
  const name = recipe.name === 'clip' ? 'end' : 'seconds';
  const start = Number(parameters.start ?? 0);
  const origin = name === 'end' ? 0 : start;
  const range: [number, number] = [start, Math.min(last, origin + Number(parameters[name] ?? last))];
  const move = ([from, to]: [number, number]) => {
    onSeek(from === range[0] ? to : from);
    const chosen = name === 'end' ? to : Number((to - from).toFixed(1));
    onChange({ start: from === 0 ? undefined : from, [name]: to >= last ? undefined : chosen });
  };
  return (
    <div className={classes.handles}>
      <span className="numbers">{formatDuration(range[0])}</span>
      <RangeSlider
        flex={1}
        min={0}
        max={last}
        step={stepSeconds}
        minRange={stepSeconds}
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
