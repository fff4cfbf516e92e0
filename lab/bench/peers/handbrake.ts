import { copyFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type RatePoint, ratePoint, ratioAtEqualScore } from '../harness/peers/rate-curve.ts';
import { type PeerRow, peerFigure, runProgram, runRecipe } from '../harness/peers/row.ts';

const program = 'HandBrakeCLI';
const presets = ['Fast 1080p30', 'HQ 1080p30 Surround'];
const qualities = [20, 24, 28, 32];

export const handbrake: PeerRow = {
  peer: 'handbrake',
  program,
  versionArguments: ['--version'],
  install: ['apt-get', 'install', '-y', 'handbrake-cli'],
  async run({ ffmpeg, directory, clips, print }) {
    const ratios = presets.map(() => ({ bytes: [] as number[], processorSeconds: [] as number[] }));
    for (const clip of clips) {
      const path = join(directory, 'encoded.mp4');
      const curve = async (encode: (quality: number) => Promise<unknown>) => {
        const points: RatePoint[] = [];
        for (const quality of qualities)
          points.push(await ratePoint(ffmpeg, { clip, path, encode: () => encode(quality) }));
        return points;
      };
      const ours = await curve((crf) =>
        runRecipe(clip, { recipe: { name: 'transcode', crf }, format: 'mp4' }, ([output = '']) =>
          copyFile(output, path),
        ),
      );
      for (const [index, preset] of presets.entries()) {
        const theirs = await curve((quality) =>
          runProgram(program, ['-i', clip, '-o', path, '--preset', preset, '-q', `${quality}`, '-a', 'none']),
        );
        for (const quantity of ['bytes', 'processorSeconds'] as const) {
          const ratio = ratioAtEqualScore(ours, theirs, quantity);
          if (ratio === undefined) continue;
          ratios[index]?.[quantity].push(ratio);
          print(`  ${basename(clip)}, ${preset}, ${quantity}: ${ratio.toFixed(3)}`);
        }
      }
    }
    return presets.flatMap((preset, index) => [
      peerFigure('handbrake', `transcode, bytes at equal VMAF NEG, ${preset}`, ratios[index]?.bytes ?? [], 0.95),
      peerFigure(
        'handbrake',
        `transcode, processor time at equal VMAF NEG, ${preset}`,
        ratios[index]?.processorSeconds ?? [],
        1,
      ),
    ]);
  },
};
