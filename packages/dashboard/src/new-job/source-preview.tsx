import { Flex, Group, RangeSlider, Stack } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { formatDuration } from '@media-jobs/cli/formatting';
import { useEffect, useRef, useState } from 'react';
import { labelFromCode } from '../format/labels.ts';
import { kindOfName, type MediaFrame, MediaView } from '../ui/media-view.tsx';
import type { Draft } from './draft.ts';
import type { KnownSource } from './original-media.ts';
import { parametersFromSchema } from './parameter.ts';
import classes from './source-preview.module.css';

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
    <Stack gap={12} maw={560} mt={12} mb={20}>
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
    </Stack>
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
    <Group wrap="nowrap" fz={13}>
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
    </Group>
  );
}

type PlaceGridProps = { draft: Draft; frame: MediaFrame; onChange: (values: Record<string, unknown>) => void };

/** The parameters that name a place in the frame. */
const placeNames = ['position', 'gravity'];

/** The places that a parameter of the recipe may have, over the frame: press one, or drag what is there to another. */
function PlaceGrid({ draft: { recipe, parameters }, frame, onChange }: PlaceGridProps) {
  const parameter = parametersFromSchema(recipe.parameters).find(({ name }) => placeNames.includes(name));
  if (parameter === undefined) return null;
  const { name, defaultValue = 'center', choices } = parameter;
  const place = String(parameters[name] ?? defaultValue);
  const [row, column] = partsOf(place);
  const choose = (next: unknown) => onChange({ [name]: next === defaultValue ? undefined : next });
  return (
    <div className={classes.frame}>
      <Flex pos="absolute" inset={0} align={sides[row]} justify={sides[column]} style={{ overflow: 'hidden' }}>
        {recipe.name === 'watermark' ? (
          <Logo parameters={parameters} frame={frame} />
        ) : (
          <Crop parameters={parameters} frame={frame} />
        )}
      </Flex>
      {choices.map((each) => (
        <button
          key={String(each)}
          type="button"
          className={classes.place}
          style={{
            gridArea: partsOf(String(each))
              .map((part) => part + 1)
              .join(' / '),
          }}
          aria-label={labelFromCode(String(each))}
          aria-pressed={each === place}
          onPointerDown={({ currentTarget, pointerId }) => currentTarget.releasePointerCapture(pointerId)}
          onPointerEnter={({ buttons }) => buttons === 1 && choose(each)}
          onClick={() => choose(each)}
        />
      ))}
    </div>
  );
}

/** The row and the column of a place, from 0 to 2. */
function partsOf(place: string): [row: number, column: number] {
  const row = place.includes('top') ? 0 : place.includes('bottom') ? 2 : 1;
  return [row, place.includes('left') ? 0 : place.includes('right') ? 2 : 1];
}

const sides = ['flex-start', 'center', 'flex-end'];

type LayerProps = Pick<Draft, 'parameters'> & { frame: MediaFrame };

/** The image as the result has it, or a box of its size until it is chosen. */
function Logo({ parameters: { image, opacity = 1, scale = 0.15, margin = 0.03 }, frame }: LayerProps) {
  const url = useMediaUrl(image);
  const marginPercent = (100 * Number(margin) * Math.min(frame.width, frame.height)) / frame.width;
  const style = { width: `${100 * Number(scale)}%`, opacity: Number(opacity), margin: `${marginPercent}%` };
  return url === undefined ? (
    <span className={classes.logo} style={style}>
      Logo
    </span>
  ) : (
    <img src={url} alt="" style={style} />
  );
}

/** What a crop keeps of the frame. */
function Crop({ parameters: { width, height }, frame }: LayerProps) {
  if (typeof width !== 'number' || typeof height !== 'number') return null;
  const side = width / height < frame.width / frame.height ? 'height' : 'width';
  const shade = { outline: '2px solid #fff', boxShadow: '0 0 0 9999px rgb(0 0 0 / 60%)' };
  return <span style={{ ...shade, aspectRatio: `${width} / ${height}`, [side]: '100%' }} />;
}

/** Waits until a URL is typed. */
const typingPauseMs = 600;

/** A URL that the browser can load: of a local file, or that of the web. */
function useMediaUrl(source: unknown): string | undefined {
  const [settled] = useDebouncedValue(source, source instanceof File ? 0 : typingPauseMs);
  const [objectUrl, setObjectUrl] = useState<string>();
  useEffect(() => {
    if (!(source instanceof File)) return;
    const url = URL.createObjectURL(source);
    setObjectUrl(url);
    return () => {
      URL.revokeObjectURL(url);
      setObjectUrl(undefined);
    };
  }, [source]);
  if (source instanceof File) return objectUrl;
  return typeof settled === 'string' && settled === source && URL.parse(settled)?.protocol.startsWith('http')
    ? settled
    : undefined;
}
