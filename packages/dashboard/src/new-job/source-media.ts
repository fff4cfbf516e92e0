import { formatBytes, formatDuration } from '@media-jobs/cli/formatting';
import { allSteps, type Draft } from './draft.ts';
import type { SourceMedia } from './estimate-request.ts';

/** What the browser has read of a file. Without a frame size, it cannot decode the video. */
export type MeasuredMedia = Pick<SourceMedia, 'durationSeconds' | 'sizeBytes'> &
  Partial<Pick<SourceMedia, 'width' | 'height'>>;

/** The source that an estimate assumes, in the words of the form. */
export type EstimatedSource = { media: SourceMedia; known: string[]; assumed: string[] };

const assumedFrame = { width: 1920, height: 1080 };
const assumedSeconds = 300;

/** Adds assumptions to what is known of the sources of a draft. `measured` has undefined for a source of which nothing is. */
export function estimatedSource(draft: Draft, measured: readonly (MeasuredMedia | undefined)[]): EstimatedSource {
  const known = averageOf(measured);
  const firstRecipe = allSteps(draft)[0]?.recipe.name;
  const frame = frameOf(known);
  if (known === undefined ? firstRecipe === 'image' : known.durationSeconds === undefined) {
    const text = `still image, ${frameText(frame ?? assumedFrame)}`;
    const media = { ...(frame ?? assumedFrame), ...known };
    return frame ? { media, known: [text, ...sizeText(known)], assumed: [] } : { media, known: [], assumed: [text] };
  }
  const hdr = firstRecipe === 'hdr-to-sdr';
  const seconds = known?.durationSeconds;
  const media = { ...(frame ?? assumedFrame), ...known, durationSeconds: seconds ?? assumedSeconds, hdr };
  const durationText = formatDuration(media.durationSeconds);
  return {
    media,
    known: [...(frame ? [frameText(frame)] : []), ...(seconds === undefined ? [] : [durationText]), ...sizeText(known)],
    assumed: [
      ...(frame ? [] : [frameText(assumedFrame)]),
      ...(seconds === undefined ? [durationText] : []),
      '30 frames per second',
      hdr ? 'HDR' : 'SDR',
    ],
  };
}

/** One file for all, since an estimate takes the same for each input: mean duration and size, the largest frame. */
function averageOf(measured: readonly (MeasuredMedia | undefined)[]): MeasuredMedia | undefined {
  const all = measured.filter((media) => media !== undefined);
  if (all.length === 0 || all.length < measured.length) return undefined;
  const frames = all.map(frameOf).filter((frame) => frame !== undefined);
  const seconds = all.map(({ durationSeconds }) => durationSeconds).filter((value) => value !== undefined);
  const sizes = all.map(({ sizeBytes }) => sizeBytes).filter((value) => value !== undefined);
  return {
    ...(frames.length === all.length
      ? {
          width: Math.max(...frames.map(({ width }) => width)),
          height: Math.max(...frames.map(({ height }) => height)),
        }
      : {}),
    ...(seconds.length === all.length ? { durationSeconds: meanOf(seconds) } : {}),
    ...(sizes.length === all.length ? { sizeBytes: Math.round(meanOf(sizes)) } : {}),
  };
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function frameOf({ width, height }: MeasuredMedia = {}): { width: number; height: number } | undefined {
  return width === undefined || height === undefined ? undefined : { width, height };
}

function frameText({ width, height }: { width: number; height: number }): string {
  return `${width} × ${height}`;
}

function sizeText({ sizeBytes }: MeasuredMedia = {}): string[] {
  return sizeBytes === undefined ? [] : [formatBytes(sizeBytes)];
}
