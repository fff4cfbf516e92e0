import { writeFile } from 'node:fs/promises';
import type { FrameIndex } from '../../../src/chunking/frame-index/frame-index.ts';
import type { Probe } from '../../../src/media/probe/probe.ts';
import { mainVideo } from '../../../src/media/probe/streams.ts';
import { cachedFile } from '../media/cached-file.ts';
import { generatedFile } from '../media/generated-file.ts';
import { aFrameIndex } from './a-frame-index.ts';

type HeavySource = {
  name: string;
  /** What it is declared to last. */
  hours: number;
  make(): Promise<string>;
};

const generated = (name: string, args: string[]) => () => generatedFile(name, args);

const video = (graph: string, seconds: number) => ['-f', 'lavfi', '-i', graph, '-t', String(seconds)];
const tone = (seconds: number) => ['-f', 'lavfi', '-t', String(seconds), '-i', 'sine=220:r=48000'];
const fastHevc = ['-c:v', 'libx265', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p10le', '-tag:v', 'hvc1'];
const pq = ['-vf', 'setparams=color_primaries=bt2020:color_trc=smpte2084:colorspace=bt2020nc'];
const fastH264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];

/** The sources that cost most. They have some frames, and are declared to last hours. */
export const heavySources: readonly HeavySource[] = [
  {
    name: '4K HDR in 10 bits',
    hours: 0.5,
    make: generated('heavy-hdr.mp4', [
      ...[...tone(0.2), ...video('testsrc2=s=3840x2160:r=25', 0.2)],
      ...['-map', '1:v', '-map', '0:a', ...fastHevc, ...pq, '-c:a', 'aac'],
    ]),
  },
  {
    name: '8K',
    hours: 0.2,
    make: generated('heavy-8k.mp4', [
      ...[...tone(0.12), ...video('testsrc2=s=7680x4320:r=25', 0.12)],
      ...['-map', '1:v', '-map', '0:a', ...fastHevc, '-c:a', 'aac'],
    ]),
  },
  {
    name: '2160p60',
    hours: 1,
    make: generated('heavy-2160p60.mp4', [
      ...[...tone(0.1), ...video('testsrc2=s=3840x2160:r=60', 0.1)],
      ...['-map', '1:v', '-map', '0:a', ...fastH264, '-c:a', 'aac'],
    ]),
  },
  {
    name: '120 frames per second',
    hours: 2,
    make: generated('heavy-120.mp4', [
      ...[...tone(0.1), ...video('testsrc2=s=1920x1080:r=120', 0.1)],
      ...['-map', '1:v', '-map', '0:a', ...fastH264, '-c:a', 'aac'],
    ]),
  },
  {
    name: 'ten hours of black',
    hours: 10,
    make: generated('heavy-black.mp4', [
      ...[...tone(1), ...video('color=black:s=1280x720:r=25', 1)],
      ...['-map', '1:v', '-map', '0:a', ...fastH264, '-c:a', 'aac'],
    ]),
  },
  { name: 'six hours of audio', hours: 6, make: generated('heavy-audio.m4a', [...tone(3), '-ac', '2', '-c:a', 'aac']) },
];

/** The probe and the frames of a source as it is declared, with a keyframe every two seconds. */
export function declared(probe: Probe, hours: number): { probe: Probe; index: FrameIndex } {
  const durationSeconds = 3600 * hours;
  const factor = durationSeconds / (probe.durationSeconds ?? 1);
  const { framesPerSecond = 25 } = mainVideo(probe) ?? {};
  const streams = probe.streams.map((stream) => ({ ...stream, durationSeconds }));
  return {
    probe: { ...probe, durationSeconds, sizeBytes: Math.round(factor * probe.sizeBytes), streams },
    index: aFrameIndex({
      frames: Math.round(framesPerSecond * durationSeconds),
      every: 1000 / framesPerSecond,
      keyframeEvery: 2 * Math.round(framesPerSecond),
    }),
  };
}

const cueSeconds = 0.036;

function timeOf(seconds: number): string {
  return new Date(1000 * seconds).toISOString().slice(11, 23).replace('.', ',');
}

/** Two hours of subtitles in 200,000 cues, one after the other. */
export function manyCues(): string {
  return Array.from({ length: 200_000 }, (_, cue) => {
    const start = cue * cueSeconds;
    return `${cue + 1}\n${timeOf(start)} --> ${timeOf(start + cueSeconds - 0.001)}\nCue\n`;
  }).join('\n');
}

/** The same as a file. */
export function manyCuesFile(): Promise<string> {
  return cachedFile({ name: 'heavy.srt', recipe: 'manyCues' }, (path) => writeFile(path, manyCues()));
}

/** Two hours of video in one frame per second, with these subtitles as a track. */
export async function manyCuesVideo(): Promise<string> {
  return generatedFile('heavy-subtitles.mp4', [
    ...['-f', 'lavfi', '-i', 'color=gray:s=64x36:r=1:d=7200', '-i', await manyCuesFile()],
    ...['-map', '0:v', '-map', '1:s', ...fastH264, '-g', '4', '-c:s', 'mov_text'],
  ]);
}
