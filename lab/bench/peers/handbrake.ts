import { copyFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type RatePoint, ratePoint, ratioAtEqualScore } from '../harness/peers/rate-curve.ts';
import { type PeerRow, peerFigure, runProgram, runRecipe } from '../harness/peers/row.ts';

const program = 'HandBrakeCLI';
const presets = ['Fast 1080p30', 'HQ 1080p30 Surround'];
/** The default, and slower ones: what they save is compared at the processor time of HandBrake. */
const ownPresets = ['medium', 'slow', 'slower'] as const;
const qualities = [20, 24, 28, 32];

export const handbrake: PeerRow = {
  peer: 'handbrake',
  program,
  versionArguments: ['--version'],
  install: ['apt-get', 'install', '-y', 'handbrake-cli'],
  async run({ ffmpeg, directory, clips, print }) {
    const ratios = presets.map(() => ({ bytes: [] as number[], processor: [] as number[], equalTime: [] as number[] }));
    for (const clip of clips) {
      const path = join(directory, 'encoded.mp4');
      const curve = async (encode: (quality: number) => Promise<unknown>) => {
        const points: RatePoint[] = [];
        for (const quality of qualities)
          points.push(await ratePoint(ffmpeg, { clip, path, encode: () => encode(quality) }));
        return points;
      };
      const ours: RatePoint[][] = [];
      for (const preset of ownPresets) {
        const recipe = (crf: number) => ({ name: 'transcode', crf, preset }) as const;
        ours.push(
          await curve((crf) =>
            runRecipe(clip, { recipe: recipe(crf), format: 'mp4' }, ([output = '']) => copyFile(output, path)),
          ),
        );
      }
      for (const [index, preset] of presets.entries()) {
        const theirs = await curve((quality) =>
          runProgram(program, ['-i', clip, '-o', path, '--preset', preset, '-q', `${quality}`, '-a', 'none']),
        );
        const efforts = ours.flatMap((points, at): Effort[] => {
          const bytes = ratioAtEqualScore(points, theirs);
          const processor = ratioAtEqualScore(points, theirs, 'processorSeconds');
          return bytes === undefined || processor === undefined ? [] : [{ preset: ownPresets[at], bytes, processor }];
        });
        const byDefault = efforts.find((effort) => effort.preset === ownPresets[0]);
        if (byDefault === undefined) continue;
        const equalTime = bytesAtEqualTime(efforts);
        ratios[index]?.bytes.push(byDefault.bytes);
        ratios[index]?.processor.push(byDefault.processor);
        ratios[index]?.equalTime.push(equalTime);
        const texts = efforts.map((each) => `${each.preset} ${each.bytes.toFixed(3)} at ${each.processor.toFixed(2)}`);
        print(
          `  ${basename(clip)}, ${preset}: bytes at processor time ${texts.join(', ')}; at equal time ${equalTime.toFixed(3)}`,
        );
      }
    }
    return presets.flatMap((preset, index) => {
      const { bytes = [], processor = [], equalTime = [] } = ratios[index] ?? {};
      return [
        peerFigure('handbrake', `transcode, bytes at equal VMAF NEG, ${preset}`, bytes, 1),
        peerFigure('handbrake', `transcode, processor time at equal VMAF NEG, ${preset}`, processor, 1),
        peerFigure('handbrake', `transcode, bytes at equal VMAF NEG and processor time, ${preset}`, equalTime, 0.95),
      ];
    });
  },
};

/** What a preset of ours takes of HandBrake's bytes and processor time, at equal score. */
type Effort = { preset: (typeof ownPresets)[number] | undefined; bytes: number; processor: number };

/**
 * The bytes at a processor time ratio of 1, between two presets by the logarithms. If all presets take less time, those of
 * the slowest; if all take more, those of the fastest.
 */
function bytesAtEqualTime(efforts: readonly Effort[]): number {
  const sorted = efforts.toSorted((one, other) => one.processor - other.processor);
  const after = sorted.find(({ processor }) => processor >= 1) ?? sorted.at(-1);
  const before = sorted.findLast(({ processor }) => processor < 1) ?? sorted[0];
  if (after === undefined || before === undefined) return Number.NaN;
  if (after === before) return after.bytes;
  const share = -Math.log(before.processor) / Math.log(after.processor / before.processor);
  return before.bytes ** (1 - share) * after.bytes ** share;
}
