import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { findFfmpeg } from '@media-jobs/video/local-programs';
import { sceneFilters } from '../parallel/scene-filters.ts';

const shotSeconds = 10;
const framesPerSecond = 25;

export type FullHdVideo = {
  /** The path of the MP4 to write. */
  path: string;
  /** A multiple of 10. */
  seconds: number;
  keyframeSeconds: number;
  /** By default the video has crf 23. */
  megabitsPerSecond?: number;
};

/** Generates a video with audio: 1920x1080 at 25 fps, H.264 and AAC, one shot of 10 s repeated. */
export async function makeFullHdVideo(video: FullHdVideo): Promise<void> {
  const { path, seconds, keyframeSeconds, megabitsPerSecond } = video;
  const shot = `${path}.shot.mp4`;
  const pixels = { width: 1920, height: 1080 };
  const graph = `${sceneFilters('shot', { number: 1, seconds: shotSeconds, pixels })};[shot]noise=alls=5:allf=t,format=yuv420p[video]`;
  const keyframes = ['-g', String(keyframeSeconds * framesPerSecond), '-sc_threshold', '0'];
  const quality = megabitsPerSecond === undefined ? ['-crf', '23'] : ['-b:v', `${megabitsPerSecond}M`];
  const sound = ['-f', 'lavfi', '-i', `aevalsrc=0.2*sin(2*PI*220*t)*(1+sin(2*PI*t/3)):s=48000:d=${shotSeconds}`];
  const encoder = ['-c:v', 'libx264', '-preset', 'veryfast', ...quality, ...keyframes, '-c:a', 'aac'];
  await ffmpeg([...sound, '-filter_complex', graph, '-map', '[video]', '-map', '0:a', ...encoder, shot]);
  const repeats = seconds / shotSeconds - 1;
  await ffmpeg(['-stream_loop', String(repeats), '-i', shot, '-c', 'copy', '-movflags', '+faststart', path]);
  await rm(shot);
}

function ffmpeg(args: string[]): Promise<unknown> {
  return promisify(execFile)(findFfmpeg(process.env).ffmpeg, ['-v', 'error', '-nostdin', '-y', ...args]);
}
