import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { assumedProbe } from '@media-jobs/video/probe';
import { grainyContent } from '../model/calibration-contents.ts';
import { generateSource } from '../model/generated-source.ts';

export type Clip = { width: number; height: number; seconds: number };

const framesPerSecond = 30;
const audioBitsPerSecond = 128_000;

/** Makes an MP4 of the bit rate that estimates assume, with stereo audio: the grainy scene of the calibration, as a camera films. */
export async function makeUsualClip(ffmpeg: string, path: string, { seconds, ...size }: Clip): Promise<void> {
  const picture = `${path}.mkv`;
  const { sizeBytes } = assumedProbe({ ...size, durationSeconds: 1, framesPerSecond });
  // In place of a constant quality, and of the pixels that a rotation leaves.
  const options = [
    '-crf',
    '-1',
    '-b:v',
    String(8 * sizeBytes - audioBitsPerSecond),
    '-aspect',
    `${size.width}:${size.height}`,
  ];
  // A scene has 25 frames for each second.
  const shot = { content: grainyContent, size, seconds: Math.ceil((seconds * framesPerSecond) / 25), framesPerSecond };
  await generateSource(ffmpeg, picture, { ...shot, encoder: 'h264', options });
  const sine = (hertz: number) => `0.2*sin(2*PI*${hertz}*t)*(1+sin(2*PI*t/3))`;
  const sound = ['-f', 'lavfi', '-i', `aevalsrc=${sine(220)}|${sine(330)}:s=48000:d=${seconds}`];
  const audio = [
    '-c:v',
    'copy',
    '-c:a',
    'aac',
    '-b:a',
    String(audioBitsPerSecond),
    '-t',
    String(seconds),
    '-movflags',
    '+faststart',
  ];
  await promisify(execFile)(ffmpeg, ['-v', 'error', '-nostdin', '-y', '-i', picture, ...sound, ...audio, path]);
  await rm(picture);
}
