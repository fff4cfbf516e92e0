import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Machine } from './machine.ts';
import { decodeSeconds, encode, filterSeconds, round } from './measure.ts';

const seconds = 60;

/** Filters of audio as the recipes write them, by the name under which the table has them. */
const filters: Record<string, string> = {
  ebur128: 'ebur128=peak=true:framelog=quiet',
  alimiter: 'alimiter=limit=0.95:level=0:latency=1',
  oversample: 'aresample=192000',
  atempo: 'atempo=1.5',
};

/** Encoders of audio with usual settings. */
const encoders: Record<string, readonly string[]> = {
  aac: ['-c:a', 'aac', '-b:a', '128k'],
  libopus: ['-c:a', 'libopus', '-b:a', '128k'],
  libmp3lame: ['-c:a', 'libmp3lame', '-b:a', '192k'],
  eac3: ['-c:a', 'eac3', '-b:a', '192k'],
  flac: ['-c:a', 'flac'],
};

/** Lines of a stereo track at 48 kHz, for each second. */
export async function measureAudio(machine: Machine): Promise<Record<string, number>> {
  const { ffmpeg, directory, startSeconds } = machine;
  const path = join(directory, 'audio.wav');
  const source = `aevalsrc=0.2*sin(2*PI*220*t)*(1+sin(2*PI*t/3))|0.2*(random(0)-0.5):s=48000:d=${seconds}`;
  await promisify(execFile)(ffmpeg, ['-v', 'error', '-nostdin', '-y', '-f', 'lavfi', '-i', source, path]);
  const read = await decodeSeconds(machine, path);
  const perSecond = (cpuSeconds: number, before: number) => round(Math.max(1e-6, cpuSeconds - before) / seconds);
  const lines: Record<string, number> = {};
  for (const [name, chain] of Object.entries(filters))
    lines[name] = perSecond(await filterSeconds(machine, path, chain), read);
  for (const [name, args] of Object.entries(encoders))
    lines[`encode ${name}`] = perSecond((await encode(machine, path, args)).cpuSeconds, read);
  const aac = join(directory, 'audio.m4a');
  await promisify(execFile)(ffmpeg, ['-v', 'error', '-nostdin', '-y', '-i', path, '-c:a', 'aac', aac]);
  lines.decode = perSecond(await decodeSeconds(machine, aac), startSeconds);
  return { ...lines, other: lines['encode aac'] ?? 0 };
}
