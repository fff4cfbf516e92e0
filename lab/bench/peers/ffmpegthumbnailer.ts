import { basename, join } from 'node:path';
import { quantile } from '../harness/figures/figure.ts';
import {
  type PeerRow,
  peerFigure,
  processorSeconds,
  type RowContext,
  runProgram,
  runRecipe,
} from '../harness/peers/row.ts';
import { sharpness } from '../harness/peers/sharpness.ts';

const program = 'ffmpegthumbnailer';
const width = 320;

/** Frames of a video with a keyframe every two seconds: farther apart than these, and closer. */
const intervals = [
  { name: 'thumbnails, every 3 s', every: 3 },
  { name: 'thumbnails, every second', every: 1 },
];

const quiet = ['-v', 'error', '-nostdin', '-y'];
const keyframes = ['-g', '600', '-sc_threshold', '0', '-force_key_frames', 'expr:gte(t,n_forced*2)'];
const encoder = ['-c:v', 'libx264', '-preset', 'veryfast', ...keyframes];

export const ffmpegthumbnailer: PeerRow = {
  peer: program,
  program,
  versionArguments: ['-v'],
  install: ['apt-get', 'install', '-y', program],
  async run(context) {
    const sharper = await sharpnessOfBest(context);
    return [
      ...(await timesAtIntervals(context)),
      peerFigure(program, 'thumbnail at best, sharpness of theirs over ours, nine of ten', [quantile(sharper, 0.9)], 1),
    ];
  },
};

async function timesAtIntervals({ ffmpeg, directory, clips, print }: RowContext) {
  const seconds = 24;
  const ratios = intervals.map((): number[] => []);
  for (const clip of clips) {
    const [part, path] = [join(directory, 'part.mp4'), join(directory, 'keyframes.mp4')];
    await runProgram(ffmpeg, [...quiet, '-i', clip, ...encoder, part]);
    await runProgram(ffmpeg, [...quiet, '-stream_loop', '-1', '-t', `${seconds}`, '-i', part, '-c', 'copy', path]);
    for (const [index, { every }] of intervals.entries()) {
      const recipe = { name: 'thumbnails', every, width } as const;
      const ours = await runRecipe(path, { recipe, format: 'jpg' }, async (outputs) => outputs.length);
      const theirs = await processorSeconds(async () => {
        for (let at = 0; at < seconds; at += every) {
          const time = `00:00:${String(at).padStart(2, '0')}`;
          await runProgram(program, ['-i', path, '-o', join(directory, `${at}.jpg`), '-s', `${width}`, '-t', time]);
        }
      });
      ratios[index]?.push(ours.processorSeconds / theirs);
      print(
        `  ${basename(clip)}, every ${every} s: ${ours.processorSeconds.toFixed(2)} s, theirs ${theirs.toFixed(2)} s`,
      );
    }
  }
  return intervals.map(({ name }, index) => peerFigure(program, `${name}, processor time`, ratios[index] ?? [], 0.5));
}

/**
 * How much sharper the peer's default choice is than ours, in videos of twelve seconds that lose their focus for two of every
 * four seconds, at two phases.
 */
async function sharpnessOfBest({ ffmpeg, directory, clips, print }: RowContext): Promise<number[]> {
  const ratios: number[] = [];
  for (const clip of clips)
    for (const phase of [0, 2]) {
      const [path, theirs] = [join(directory, 'focus.mp4'), join(directory, 'chosen.jpg')];
      const filters = `gblur=sigma=4:enable='lt(mod(t+${phase},4),2)'`;
      await runProgram(ffmpeg, [
        ...quiet,
        '-stream_loop',
        '-1',
        '-t',
        '12',
        '-i',
        clip,
        '-vf',
        filters,
        ...encoder,
        path,
      ]);
      const size = { width, height: 180 };
      await runProgram(program, ['-i', path, '-o', theirs, '-s', '0']);
      const recipe = { name: 'thumbnail' } as const;
      const { result: own } = await runRecipe(path, { recipe, format: 'jpg' }, ([output = '']) =>
        sharpness(ffmpeg, output, size),
      );
      const their = await sharpness(ffmpeg, theirs, size);
      print(`  ${basename(clip)}, phase ${phase}: sharpness of ours ${own.toFixed(0)}, theirs ${their.toFixed(0)}`);
      ratios.push(their / own);
    }
  return ratios;
}
