import { basename, join } from 'node:path';
import { type PeerRow, peerFigure, processorSeconds, runProgram, runRecipe } from '../harness/peers/row.ts';

const seconds = 24;
const program = 'ffmpegthumbnailer';
const width = 320;

/** Frames of a video with a keyframe every two seconds: farther apart than these, and closer. */
const intervals = [
  { name: 'thumbnails, every 3 s', every: 3 },
  { name: 'thumbnails, every second', every: 1 },
];

export const ffmpegthumbnailer: PeerRow = {
  peer: 'ffmpegthumbnailer',
  program,
  versionArguments: ['-v'],
  install: ['apt-get', 'install', '-y', 'ffmpegthumbnailer'],
  async run({ ffmpeg, directory, clips, print }) {
    const ratios = intervals.map((): number[] => []);
    for (const clip of clips) {
      const [part, path] = [join(directory, 'part.mp4'), join(directory, 'keyframes.mp4')];
      const encoder = ['-c:v', 'libx264', '-preset', 'veryfast', '-g', '600', '-sc_threshold', '0'];
      await runProgram(ffmpeg, ['-v', 'error', '-y', '-i', clip, ...encoder, part]);
      await runProgram(ffmpeg, [
        '-v',
        'error',
        '-y',
        '-stream_loop',
        '-1',
        '-t',
        `${seconds}`,
        '-i',
        part,
        '-c',
        'copy',
        path,
      ]);
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
  },
};
