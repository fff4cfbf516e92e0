import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type RatePoint, ratioAtEqualScore } from '../harness/peers/rate-curve.ts';
import { type PeerRow, peerFigure, processorSeconds, runProgram, runRecipe } from '../harness/peers/row.ts';

const program = 'gifsicle';
const framesPerSecond = 12;
const scaled = `fps=${framesPerSecond},scale='min(480,iw)':-2:flags=bicubic`;

export const gifsicle: PeerRow = {
  peer: program,
  program,
  versionArguments: ['--version'],
  install: ['apt-get', 'install', '-y', 'gifsicle'],
  async run({ ffmpeg, directory, clips, print }) {
    const [bytes, seconds, lossy]: number[][] = [[], [], []];
    for (const clip of clips) {
      const ours = [];
      for (const colors of [256, 128, 64, 32]) ours.push(await ownGif(ffmpeg, clip, colors));
      const theirs = [];
      for (const loss of [0, 20, 60, 120]) theirs.push(await theirGif(ffmpeg, { clip, directory, loss }));
      const [own, their] = [ours[0], theirs[0]];
      if (own === undefined || their === undefined) continue;
      // Without loss asked for, at the score of the one with the lower.
      bytes?.push(ratioAtEqualScore([own, ours[1] ?? own], [their, theirs[1] ?? their]) ?? own.bytes / their.bytes);
      seconds?.push(own.processorSeconds / their.processorSeconds);
      const ratio = ratioAtEqualScore(ours, theirs);
      if (ratio !== undefined) lossy?.push(ratio);
      const text = (points: RatePoint[]) =>
        points.map((point) => `${point.bytes} at ${point.score.toFixed(3)}`).join(', ');
      print(`  ${basename(clip)}: ours ${text(ours)}; theirs ${text(theirs)}`);
    }
    return [
      peerFigure(program, 'gif, bytes at equal SSIM', bytes ?? [], 1),
      peerFigure(program, 'gif, fewer bytes asked for, at equal SSIM', lossy ?? [], 1),
      peerFigure(program, 'gif, processor time', seconds ?? [], 1),
    ];
  },
};

async function ownGif(ffmpeg: string, clip: string, colors: number): Promise<RatePoint> {
  const recipe = { name: 'gif', fps: framesPerSecond, width: 480, colors } as const;
  const { processorSeconds: time, result } = await runRecipe(clip, { recipe, format: 'gif' }, async ([path = '']) => ({
    bytes: (await stat(path)).size,
    score: await ssim(ffmpeg, path, clip),
  }));
  return { ...result, processorSeconds: time };
}

/** ffmpeg's palette by default, and gifsicle's best. */
async function theirGif(
  ffmpeg: string,
  { clip, directory, loss }: { clip: string; directory: string; loss: number },
): Promise<RatePoint> {
  const [made, path] = [join(directory, 'palette.gif'), join(directory, 'gifsicle.gif')];
  const graph = `${scaled},split[a][b];[a]palettegen[p];[b][p]paletteuse`;
  const time = await processorSeconds(async () => {
    await runProgram(ffmpeg, ['-v', 'error', '-y', '-i', clip, '-filter_complex', graph, made]);
    await runProgram(program, ['-O3', ...(loss > 0 ? [`--lossy=${loss}`] : []), made, '-o', path]);
  });
  return { bytes: (await stat(path)).size, score: await ssim(ffmpeg, path, clip), processorSeconds: time };
}

async function ssim(ffmpeg: string, path: string, clip: string): Promise<number> {
  const paired = (chain: string) => `${chain},format=rgb24,settb=1/12,setpts=N`;
  const graph = `[0:v]${paired(`fps=${framesPerSecond}`)}[a];[1:v]${paired(scaled)}[b];[a][b]ssim`;
  const log = await runProgram(ffmpeg, ['-nostdin', '-i', path, '-i', clip, '-lavfi', graph, '-f', 'null', '-']);
  return Number(/All:([\d.]+)/.exec(log)?.[1] ?? Number.NaN);
}
