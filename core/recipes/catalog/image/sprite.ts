import * as z from 'zod';
import { type Tiling, tileCounts, tileCues } from '../../../encoding/image/tile-cues.ts';
import { dropOtherStreams, namedOutput } from '../../../encoding/outputs.ts';
import type { PlannedOutput } from '../../../encoding/plan.ts';
import { JobError } from '../../../errors.ts';
import {
  type ImageFormat,
  imageCodecArguments,
  imageColorMatrix,
  probedImageCodec,
} from '../../../media/codecs/image-codecs.ts';
import type { Command } from '../../../media/ffmpeg/command.ts';
import { keepFilterGraph, normalizeFrameSize, videoFilters } from '../../../media/filters/video-filters.ts';
import { containerArguments, formats } from '../../../media/formats.ts';
import { fitInside, requireEncodableSize, roundedSize } from '../../../media/frame-size.ts';
import type { VideoStream } from '../../../media/probe/probe.ts';
import { endSecondsOf, requireVideo } from '../../../media/probe/streams.ts';
import { defineRecipe } from '../../recipe.ts';

// Each sheet is a signed URL in every answer about the job; each picture of a sheet is one in the list of cues.
const mostSheets = 50;
const mostTiles = 2000;

const side = z.int().min(1).max(20).default(10);

export const sprite = defineRecipe({
  name: 'sprite',
  title: 'Sprite',
  description: `Small pictures of a video at even distances, many to a sheet, and a WebVTT file that says which is where: what players show above the seek bar. The sheets are called sprite-001 and so on, the file vtt; at most ${mostTiles} pictures on ${mostSheets} sheets.`,
  formats: ['jpg', 'webp', 'png'],
  comparison: 'none',
  parameters: z.strictObject({
    every: z.number().min(0.1).max(600).default(5).meta({
      description: 'Seconds from one picture to the next; the first is at 0 s.',
    }),
    columns: side.meta({ description: 'Pictures beside each other on a sheet.' }),
    rows: side.meta({ description: 'Pictures below each other on a sheet.' }),
    tileWidth: z.int().min(16).max(400).default(160).meta({
      description: 'Width of one picture in pixels; its height follows.',
    }),
  }),
  example: {
    output: { format: 'jpg' },
    recipe: { name: 'sprite', every: 2, columns: 5, rows: 5, tileWidth: 160 },
  },
  plan(input) {
    const { every, columns, rows, tileWidth } = input.parameters;
    const video = requireVideo(input.probe);
    const format = input.format as ImageFormat;
    const tile = roundedSize(fitInside(video, { width: tileWidth }));
    const durationSeconds = endSecondsOf(input.probe, [video]) ?? 0;
    const tiling: Tiling = { tile, columns, rows, intervalSeconds: every, durationSeconds };
    const { tiles, sheets } = requireFew(tiling);
    const size = requireEncodableSize({ width: columns * tile.width, height: rows * tile.height });
    const names = Array.from({ length: sheets }, (_, index) => `sprite-${numbered(index)}`);
    const files = names.map((name) =>
      namedOutput(name, input, { video: { codec: probedImageCodec(format), ...size } }),
    );
    const command: Command = {
      inputs: [{ path: input.inputPath, options: keepFilterGraph(video) }],
      outputArguments: [
        ...['-map', `0:${video.index}`, '-vf', tileFilters(video, { ...tiling, format }, tiles).join(',')],
        ...['-frames:v', String(sheets), '-fps_mode:v', 'passthrough', '-an', ...imageCodecArguments(format)],
        ...[
          ...dropOtherStreams,
          ...containerArguments(format),
          `${input.outputDirectory}/sprite-%03d.${format}`,
        ],
      ],
      durationSeconds,
    };
    const sheetFiles = files.map(({ output }) => output);
    const cues = tileCues(
      tiling,
      sheetFiles.map(({ filename }) => filename),
    );
    return { commands: [command], outputs: [...sheetFiles, cueFile(cues, durationSeconds)] };
  },
});

/** The picture that is seen at each of the moments, small, and laid in rows; the last one holds to the end. */
function tileFilters(
  video: VideoStream,
  { tile, columns, rows, intervalSeconds, format }: Tiling & { format: ImageFormat },
  tiles: number,
): string[] {
  const chosen = [
    `fps=1/${intervalSeconds}:start_time=0:round=up`,
    'tpad=stop=-1:stop_mode=clone',
    `trim=end_frame=${tiles}`,
  ];
  const shown = videoFilters(video, { scale: tile, ...imageColorMatrix(format) });
  // Fields are joined with their neighbours in time, which are gone afterwards.
  const picked = video.isInterlaced ? [...shown, ...chosen] : [...chosen, ...shown];
  return [...normalizeFrameSize(video), ...picked, `tile=${columns}x${rows}`];
}

function cueFile(content: string, durationSeconds: number): PlannedOutput {
  const { mimeType } = formats.vtt;
  const expectation = { referencesFiles: true, durationSeconds } as const;
  return { name: 'vtt', filename: 'sprite.vtt', format: 'vtt', mimeType, content, expectation };
}

function requireFew(tiling: Tiling): { tiles: number; sheets: number } {
  const { tiles, sheets } = tileCounts(tiling);
  if (tiles <= mostTiles && sheets <= mostSheets) return { tiles, sheets };
  const fitting = Math.min(mostTiles, mostSheets * tiling.columns * tiling.rows);
  const least = Math.ceil(tiling.durationSeconds / fitting);
  const message = `A picture every ${tiling.intervalSeconds} s makes ${tiles} on ${sheets} sheets, and the limit is ${fitting}; use ${least} s or more`;
  throw new JobError('INPUT_UNSUPPORTED', message);
}

function numbered(index: number): string {
  return String(index + 1).padStart(3, '0');
}
