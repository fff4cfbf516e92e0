import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { concatListInput } from '../../../core/media/ffmpeg/command.ts';
import { shotGraph } from './video-shot.ts';

export type TestVideoOptions = {
  /** The ffmpeg to make it with. */
  ffmpeg: string;
  /** Where the mp4 is written. */
  path: string;
  minutes: number;
};

const pixels = { width: 1280, height: 720 };

/** Of the shots of a minute: at each cut the encoder sets a keyframe, as in a film. */
const shotSeconds = [5.2, 7.4, 3.6, 9.8, 6.4, 4.4, 8.6, 5.8, 8.8];
const minuteSeconds = 60;

const grain = 'noise=alls=5:allf=t,format=yuv420p';
const sound = 'aevalsrc=0.2*sin(2*PI*220*t)*(1+sin(2*PI*t/3))|0.2*(random(0)-0.5):s=48000';

/** Makes what is like a film to an encoder, 1280x720 at 25 frames a second, H.264 with AAC: one minute, repeated. */
export async function makeTestVideo({ ffmpeg, path, minutes }: TestVideoOptions): Promise<void> {
  const run = (args: string[]) => promisify(execFile)(ffmpeg, ['-v', 'error', '-nostdin', '-y', ...args]);
  const minute = `${path}.minute.mp4`;
  const labels = shotSeconds.map((_, number) => `shot${number}`);
  const shots = shotSeconds.map((seconds, number) => shotGraph(`shot${number}`, { number, seconds, pixels }));
  const cut = `${labels.map((label) => `[${label}]`).join('')}concat=n=${labels.length},${grain}[film]`;
  const encoder = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '20'];
  await run(['-filter_complex', [...shots, cut].join(';'), '-map', '[film]', ...encoder, minute]);
  const list = concatListInput(
    Array.from({ length: minutes }, () => ({ path: minute, seconds: minuteSeconds })),
  );
  await run([
    ...['-protocol_whitelist', 'file,data', ...(list.options ?? []), '-i', list.path],
    ...['-f', 'lavfi', '-i', `${sound}:d=${minutes * minuteSeconds}`],
    ...['-c:v', 'copy', '-c:a', 'aac', '-b:a', '160k', '-movflags', '+faststart', path],
  ]);
  await rm(minute);
}
