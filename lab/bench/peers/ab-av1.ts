import { copyFile, mkdir, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { findFfmpeg } from '@media-jobs/video/local-programs';
import { type RatePoint, ratePoint, ratioAtEqualScore } from '../harness/peers/rate-curve.ts';
import { type PeerRow, peerFigure, type RowContext, runProgram, runRecipe } from '../harness/peers/row.ts';

const program = 'ab-av1';
const targets = [88, 93];
/** Up to twelve, ours compares all of it; ab-av1 up to 24. */
const seconds = { whole: 14, quick: 8 };
const scoring = { model: 'vmaf_v0.6.1', display: { width: 1920, height: 1080 } } as const;

/** Our defaults, and the same encoders and presets for ab-av1. */
const encoders = [
  { codec: 'h264', theirs: ['-e', 'libx264', '--preset', 'medium', '--pix-format', 'yuv420p'] },
  { codec: 'h265', theirs: ['-e', 'libx265', '--preset', 'fast', '--pix-format', 'yuv420p10le'] },
  { codec: 'av1', theirs: ['-e', 'libsvtav1', '--preset', '8', '--pix-format', 'yuv420p10le'] },
] as const;

export const abAv1: PeerRow = {
  peer: program,
  program,
  versionArguments: ['--version'],
  install: ['cargo', 'install', 'ab-av1'],
  async run({ extent, ffmpeg, directory, clips, print }) {
    const PATH = await directoryOfPrograms(join(directory, 'programs'));
    const clip = await scenesOf({ ffmpeg, directory, clips, seconds: seconds[extent] });
    const figures = [];
    for (const { codec, theirs } of encoders) {
      const [distance, bytes, processor]: [number[], number[], number[]] = [[], [], []];
      const path = join(directory, 'encoded.mkv');
      const curve = async (encode: (target: number) => Promise<unknown>) => {
        const points: RatePoint[] = [];
        for (const target of targets)
          points.push(await ratePoint(ffmpeg, { clip, path, encode: () => encode(target), ...scoring }));
        return points;
      };
      const own = await curve((targetVmaf) =>
        runRecipe(clip, { recipe: { name: 'transcode', codec, targetVmaf }, format: 'mkv' }, ([output = '']) =>
          copyFile(output, path),
        ),
      );
      const their = await curve((target) =>
        runProgram(
          program,
          [
            ...['auto-encode', '-i', clip, '-o', path, '--min-vmaf', `${target}`, '--max-encoded-percent', '1000'],
            ...['--temp-dir', directory, ...theirs],
          ],
          { PATH, AB_AV1_CACHE: 'false' },
        ),
      );
      for (const [index, target] of targets.entries()) {
        const [ours, other] = [own[index], their[index]];
        if (ours === undefined || other === undefined) continue;
        const missed = ({ score }: RatePoint) => Math.abs(score - target) + smallest;
        distance.push(missed(ours) / missed(other));
        processor.push(ours.processorSeconds / other.processorSeconds);
        print(`  ${basename(clip)}, ${codec}, ${target}: ours ${textOf(ours)}; theirs ${textOf(other)}`);
      }
      bytes.push(ratioAtEqualScore(own, their) ?? Number.NaN);
      figures.push(
        peerFigure(program, `targetVmaf, ${codec}, distance from the target`, distance, 1),
        peerFigure(program, `targetVmaf, ${codec}, bytes at equal VMAF`, bytes, 1),
        peerFigure(program, `targetVmaf, ${codec}, processor time with the search`, processor, 0.8),
      );
    }
    return figures;
  },
};

/** A step of CRF is about one point: less is chance. */
const smallest = 0.5;

function textOf({ score, bytes, processorSeconds }: RatePoint): string {
  return `VMAF ${score.toFixed(1)}, ${(bytes / 1000).toFixed(0)} kB, ${processorSeconds.toFixed(1)} s`;
}

/** ab-av1 calls the programs ffmpeg and ffprobe of the PATH. */
async function directoryOfPrograms(path: string): Promise<string> {
  const { ffmpeg, ffprobe } = findFfmpeg(process.env);
  await mkdir(path);
  for (const [name, target] of Object.entries({ ffmpeg, ffprobe })) await symlink(target, join(path, name));
  return `${path}:${process.env.PATH}`;
}

/** A video of the clips one after the other, so that its scenes differ. */
async function scenesOf({
  ffmpeg,
  directory,
  clips,
  seconds: length,
}: Pick<RowContext, 'ffmpeg' | 'directory' | 'clips'> & { seconds: number }): Promise<string> {
  const path = join(directory, 'scenes.mkv');
  const inputs = clips.flatMap((clip) => ['-stream_loop', '-1', '-t', `${length / clips.length}`, '-i', clip]);
  const size = '640:360';
  const fitted = clips.map(
    (_, index) =>
      `[${index}:v]fps=25,scale=${size}:force_original_aspect_ratio=decrease,pad=${size}:-1:-1,setsar=1,format=yuv420p[v${index}]`,
  );
  const joined = `${clips.map((_, index) => `[v${index}]`).join('')}concat=n=${clips.length}`;
  const graph = [...fitted, joined].join(';');
  await runProgram(ffmpeg, ['-v', 'error', '-y', ...inputs, '-filter_complex', graph, '-an', '-c:v', 'ffv1', path]);
  return path;
}
