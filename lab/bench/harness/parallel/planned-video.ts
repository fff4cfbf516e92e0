import { availableParallelism } from 'node:os';
import type { PacketReader, PacketReadOptions } from '@media-jobs/video/chunking';
import type { Encoding, PlannedOutput } from '@media-jobs/video/encoding';
import type { Command, RunRecord } from '@media-jobs/video/ffmpeg';
import { findFfmpeg, findFonts } from '@media-jobs/video/local-programs';
import type { Probe } from '@media-jobs/video/probe';
import { planStep, type Step } from '@media-jobs/video/recipes';
import { ffmpegEncoder, packetReader } from '@media-jobs/video/runner';

/** A local video and its planned encoding. */
export type PlannedVideo = {
  path: string;
  probe: Probe;
  encoding: Encoding;
  outputs: PlannedOutput[];
  singlePass: Command;
  /** The directory of all outputs. */
  directory: string;
  packets: PacketReader;
  reading: PacketReadOptions;
  run(command: Command): Promise<RunRecord>;
};

/** A time limit that no measurement reaches. */
const patience = { timeLimitSeconds: 24 * 3600, signal: new AbortController().signal };

/**
 * Plans a recipe for a video, with the encoder of the worker.
 * @param image the path of an image that a watermark shows
 *
 * @throws Error for a recipe that is not one encoding of one video
 */
export async function planVideo(
  path: string,
  { recipe, earlier, image, directory }: Pick<Step, 'recipe' | 'earlier'> & { image?: string; directory: string },
): Promise<PlannedVideo> {
  const { ffmpeg: ffmpegPath, ffprobe: ffprobePath } = findFfmpeg(process.env);
  const programs = { ffmpegPath, ffprobePath };
  const encoder = ffmpegEncoder(programs);
  const probe = await encoder.probe(path);
  const plan = planStep(
    { recipe, format: 'mp4', isIntermediate: false, ...(earlier && { earlier }) },
    {
      inputs: [{ path, probe }],
      assets: image === undefined ? {} : { image: { path: image, probe: await encoder.probe(image) } },
      outputDirectory: directory,
      canCompare: await encoder.canCompare(),
      fontsDirectory: findFonts(),
    },
  );
  const [singlePass, ...more] = 'commands' in plan ? plan.commands : [];
  if (singlePass === undefined || more.length > 0 || !('encoding' in plan) || plan.encoding === undefined) {
    throw new Error(`${recipe.name} is not one encoding of one video`);
  }
  return {
    path,
    probe,
    encoding: plan.encoding,
    outputs: plan.outputs,
    singlePass,
    directory,
    packets: packetReader(programs),
    reading: patience,
    run: (command) => encoder.run(command, { ...patience, directory, stallSeconds: 60 * availableParallelism() }),
  };
}
