import * as z from 'zod';
import { extractTile } from '../../../encoding/image/extract-frame.ts';
import {
  accuracyParameter,
  exactFrameFilters,
  type IntervalFrames,
  keyframeFilters,
  keyframesOnly,
  seekFromSeconds,
  type Tiling,
  tileCounts,
  tileCues,
  timesWithoutKeyframe,
} from '../../../encoding/image/tile-frames.ts';
import { dropOtherStreams, outputFile } from '../../../encoding/options.ts';
import type { PendingPlan, Plan, PlannedOutput } from '../../../encoding/plan.ts';
import { rejectInput } from '../../../errors.ts';
import { imageEncoders } from '../../../media/codecs/video-codecs.ts';
import type { Command, CommandInput } from '../../../media/ffmpeg/command.ts';
import { seekVideo } from '../../../media/ffmpeg/seek.ts';
import { type Filter, filter } from '../../../media/filters/filter.ts';
import { keepFilterGraph } from '../../../media/filters/video-filters.ts';
import { containerArguments } from '../../../media/formats.ts';
import { fitInside, requireEncodableSize, roundedSize } from '../../../media/frame-size.ts';
import { cueFile, maxSheets, maxTiles, sheetName } from '../../../media/playlists/set-files.ts';
import { endSecondsOf, requireVideo } from '../../../media/probe/streams.ts';
import { integer, number } from '../../../values.ts';
import { defineRecipe, type RecipeInput } from '../../recipe.ts';

const gridCount = () => integer(1, 20).default(10);

export const sprite = defineRecipe({
  name: 'sprite',
  title: 'Sprite',
  description: `Preview images for the seek bar of a player: small frames at a fixed interval, side by side on sheets, and a WebVTT file with their times and positions. Give a player the URL of the output vtt. At most ${maxTiles} frames on ${maxSheets} sheets.`,
  formats: ['jpg', 'webp', 'png'],
  comparison: 'none',
  severalOutputs: true,
  parameters: () =>
    z.strictObject({
      every: number(0.1, 600).default(5).meta({ description: 'Seconds between two frames; the first is at 0 s.' }),
      columns: gridCount().meta({ description: 'Columns of a sheet.' }),
      rows: gridCount().meta({ description: 'Rows of a sheet.' }),
      tileWidth: integer(16, 400)
        .default(160)
        .meta({ description: 'Width of one frame in pixels; the height follows.' }),
      accuracy: accuracyParameter(),
    }),
  example: { output: { format: 'jpg' }, recipe: { name: 'sprite', every: 2, columns: 5, rows: 5, tileWidth: 160 } },
});

export function planSprite(input: RecipeInput<typeof sprite>): Plan | PendingPlan {
  const { every, columns, rows, tileWidth, accuracy } = input.parameters;
  const video = requireVideo(input.probe);
  const { format } = input;
  const tile = roundedSize(fitInside(video, { width: tileWidth }));
  const durationSeconds = endSecondsOf(input.probe, [video]) ?? 0;
  const tiling: Tiling = { tile, columns, rows, intervalSeconds: every, durationSeconds };
  const { tiles, sheets } = requireWithinLimits(tiling);
  const size = requireEncodableSize({ width: columns * tile.width, height: rows * tile.height });
  const names = Array.from({ length: sheets }, (_, index) => sheetName(index));
  const files = names.map((name) =>
    outputFile(input, { video: { codec: imageEncoders[format].codec, ...size } }, name),
  );
  const tileFrames = filter('tile', `${columns}x${rows}`, { ...size, perFrame: 1 / (columns * rows) });
  const sheetCommand = (source: CommandInput, map: string, filters: readonly Filter[]): Command => ({
    inputs: [source],
    outputArguments: [
      ...['-map', map, '-vf', [{ filters: [...filters, tileFrames] }]],
      ...['-frames:v', String(sheets), '-fps_mode:v', 'passthrough', '-an', ...imageEncoders[format].arguments],
      ...[...dropOtherStreams, ...containerArguments(format), `${input.outputDirectory}/sprite-%03d.${format}`],
    ],
    durationSeconds,
  });
  const fromVideo = (filters: readonly Filter[], options: readonly string[] = []) =>
    sheetCommand(
      { path: input.inputPath, options: [...options, ...keepFilterGraph(video), ...seekVideo(input.probe, video, 0)] },
      `0:${video.index}`,
      [...filters, ...((tile.width % 2 === 1 || tile.height % 2 === 1) && format !== 'png' ? [wholeChroma] : [])],
    );
  const sheetFiles = files.map(({ output }) => output);
  const cues = tileCues(
    tiling,
    sheetFiles.map(({ filename }) => filename),
  );
  const outputs = [...sheetFiles, cueOutput(cues, durationSeconds)];
  const frames: IntervalFrames = { size: tile, intervalSeconds: every, count: tiles, format };
  const seekEach = (): Command[] => {
    const seeks = Array.from({ length: tiles }, (_, index) =>
      extractTile(input, { name: `tile-${String(index).padStart(5, '0')}`, at: index * every, width: tileWidth }),
    );
    const images = { path: `${input.outputDirectory}/tile-%05d.png`, options: ['-f', 'image2'], isTrusted: true };
    return [...seeks.map(({ command }) => command), sheetCommand(images, '0:0', [])];
  };
  const exact: Plan = {
    commands: every >= seekFromSeconds ? seekEach() : [fromVideo(exactFrameFilters(video, frames))],
    outputs,
  };
  if (accuracy === 'frame') return exact;
  return {
    measure: [fromVideo(keyframeFilters(video, frames), keyframesOnly)],
    progressAfter: 0.5,
    outputs,
    // The measurement has written the sheets. Without enough keyframes, the exact frames replace them.
    decide: (log) => (timesWithoutKeyframe(log, tiles).length === 0 ? { commands: [], outputs } : exact),
    expected: () => ({ commands: [], outputs }),
  };
}

/** In 4:2:0, an odd tile would take chroma samples of the next one, and shift its own. PNG is RGB. */
const wholeChroma = filter('format', 'yuv444p|yuva444p');

function cueOutput(content: string, durationSeconds: number): PlannedOutput {
  const expectation = { referencesFiles: true, durationSeconds } as const;
  return { name: 'vtt', filename: cueFile, format: 'vtt', content, expectation };
}

function requireWithinLimits(tiling: Tiling): { tiles: number; sheets: number } {
  const { tiles, sheets } = tileCounts(tiling);
  if (tiles <= maxTiles && sheets <= maxSheets) return { tiles, sheets };
  const maxFrames = Math.min(maxTiles, maxSheets * tiling.columns * tiling.rows);
  const minInterval = Math.ceil(tiling.durationSeconds / maxFrames);
  const message = `A frame every ${tiling.intervalSeconds} s makes ${tiles} frames on ${sheets} sheets; the limit is ${maxFrames} frames. Use ${minInterval} s or more`;
  rejectInput(message);
}
