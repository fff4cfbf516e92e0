import { stat } from 'node:fs/promises';
import { assumedProbe } from '@media-jobs/video/probe';
import { ffmpegCpuSeconds } from '../../../../lib/local/machine-speed.ts';
import { recipeCost, resolutions } from '../../../cost/recipe-forecast.ts';
import { type Figure, figure } from '../figures/figure.ts';
import { type MeasureSlowness, withSlowness } from '../model/reference-encode.ts';
import { withBareRuns } from '../process/bare-runs.ts';
import { compressRecipe, type RoundClip } from './round.ts';

/** A measurement may be so many times its estimate. A test holds that it is not lower either. */
const maxOverEstimate = 1.1;

const durationSeconds = 300;

/** The names of the figures, by which a test compares them with the prices. */
export const compressNames = {
  processor: 'economy/compress, processor seconds for a second',
  bytes: 'economy/compress, bytes for a byte of the source',
};

/** Bytes of the source that prices assume. */
export const assumedSourceBytes = assumedProbe({ ...resolutions['1080p'], durationSeconds }).sizeBytes;

/** What prices assume of `compress`, measured on the clips. The processor seconds are those of the calibrated machine. */
export async function compressFigures(
  {
    ffmpeg,
    directory,
    clips,
    slowness,
  }: { ffmpeg: string; directory: string; clips: readonly RoundClip[]; slowness: MeasureSlowness },
  print: (line: string) => void,
): Promise<Figure[]> {
  const [processor, bytes]: [number[], number[]] = [[], []];
  for (const { seconds, p1080 } of clips.slice(0, 3)) {
    const work = { files: { inputs: [p1080.path] }, recipe: compressRecipe, format: 'mp4' } as const;
    const options = { ...work, environment: process.env, inPlace: true };
    const { result, machine } = await withSlowness(slowness, () =>
      withBareRuns(options, async ({ commands, outputPaths }) => {
        const [[, ...args] = []] = await commands();
        const run = await ffmpegCpuSeconds(ffmpeg, args, { directory });
        return { ...run, size: (await stat(outputPaths[0] ?? '')).size };
      }),
    );
    const { cpuSeconds, size } = result;
    const source = await stat(p1080.path);
    print(
      `  compress: ${(cpuSeconds / seconds).toFixed(2)} s for a second, ${(size / source.size).toFixed(3)} bytes for a byte; the machine is ${machine.toFixed(2)} times as slow as the calibrated one`,
    );
    processor.push(cpuSeconds / seconds / machine);
    bytes.push(size / source.size);
  }
  const { cpuSeconds, outputBytes } = recipeCost({ resolution: '1080p', durationSeconds });
  return [
    figure(compressNames.processor, processor, (maxOverEstimate * cpuSeconds) / durationSeconds),
    figure(compressNames.bytes, bytes, (maxOverEstimate * outputBytes) / assumedSourceBytes),
  ];
}
