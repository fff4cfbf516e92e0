import { readFile, stat, writeFile } from 'node:fs/promises';
import { JobError } from '../errors.ts';
import type { Encoder } from '../media/ffmpeg/ports.ts';
import { compareVideos } from './compare.ts';
import { probeFile } from './probe.ts';
import { type FfmpegSettings, ffmpegCapabilities, runCommand, withDefaults } from './run.ts';

/** The cues of so much text take a gigabyte of memory. A whole day of subtitles is far smaller. */
const maxTextBytes = 32_000_000;

/** The encoder that runs the installed ffmpeg and ffprobe. Every run is limited against hostile files. */
export function ffmpegEncoder(options: FfmpegSettings): Encoder {
  const settings = withDefaults(options);
  return {
    ...ffmpegCapabilities(settings),
    probe: (path, options) => probeFile(settings, path, options),
    readText,
    writeText: (path, text) => writeFile(path, text),
    run: (command, options) => runCommand(settings, command, options),
    compare: (comparison, options) => compareVideos(settings, comparison, options),
  };
}

/** A compressed subtitle track of some megabytes may become gigabytes of text. */
async function readText(path: string): Promise<string> {
  const { size } = await stat(path);
  if (size <= maxTextBytes) return readFile(path, 'utf8');
  const message = `A subtitle track has ${size} bytes of text; the limit is ${maxTextBytes} bytes`;
  throw new JobError('INPUT_UNSUPPORTED', message);
}
