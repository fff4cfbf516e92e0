import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { concatListInput } from '@media-jobs/video/ffmpeg';
import { sceneFilters } from './scene-filters.ts';

export type TestVideoOptions = {
  /** The path of ffmpeg. */
  ffmpeg: string;
  /** The path of the MP4 to write. */
  path: string;
  minutes: number;
};

const pixels = { width: 1280, height: 720 };

/** What `makeTestVideo` generates. */
export const testVideo = { resolution: '720p', framesPerSecond: 25 } as const;

/** Durations of the shots of a minute: the encoder sets a keyframe at each cut, as in a film. */
const shotSeconds = [5.2, 7.4, 3.6, 9.8, 6.4, 4.4, 8.6, 5.8, 8.8];
const minuteSeconds = 60;

const grain = 'noise=alls=5:allf=t,format=yuv420p';
const audio = 'aevalsrc=0.2*sin(2*PI*220*t)*(1+sin(2*PI*t/3))|0.2*(random(0)-0.5):s=48000';

/** Generates a video as complex as a film: 1280x720 at 25 fps, H.264 with AAC, one minute repeated. */
export async function makeTestVideo({ ffmpeg, path, minutes }: TestVideoOptions): Promise<void> {
  const run = (args: string[]) => promisify(execFile)(ffmpeg, ['-v', 'error', '-nostdin', '-y', ...args]);
  const minute = `${path}.minute.mp4`;
  const labels = shotSeconds.map((_, number) => `shot${number}`);
  const shots = shotSeconds.map((seconds, number) => sceneFilters(`shot${number}`, { number, seconds, pixels }));
  const cut = `${labels.map((label) => `[${label}]`).join('')}concat=n=${labels.length},${grain}[video]`;
  const encoder = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '20'];
  await run(['-filter_complex', [...shots, cut].join(';'), '-map', '[video]', ...encoder, minute]);
  const list = concatListInput(Array.from({ length: minutes }, () => ({ path: minute, seconds: minuteSeconds })));
  await run([
    ...['-protocol_whitelist', 'file,data', ...(list.options ?? []), '-i', list.path],
    ...['-f', 'lavfi', '-i', `${audio}:d=${minutes * minuteSeconds}`],
    ...['-c:v', 'copy', '-c:a', 'aac', '-b:a', '160k', '-movflags', '+faststart', path],
  ]);
  await rm(minute);
}
