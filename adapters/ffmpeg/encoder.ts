import { readFile, writeFile } from 'node:fs/promises';
import type { Encoder } from '../../core/media/ffmpeg/ports.ts';
import { ffmpegCapabilities } from './capabilities.ts';
import { compareVideos } from './compare.ts';
import { probeFile } from './probe.ts';
import { runCommand } from './run.ts';
import { type FfmpegSettings, withDefaults } from './settings.ts';

/** The encoder that runs the installed ffmpeg and ffprobe. Every run is limited against hostile files. */
export function ffmpegEncoder(options: FfmpegSettings): Encoder {
  const settings = withDefaults(options);
  return {
    ...ffmpegCapabilities(settings),
    probe: (path, options) => probeFile(settings, path, options),
    readText: (path) => readFile(path, 'utf8'),
    writeText: (path, text) => writeFile(path, text),
    run: (command, options) => runCommand(settings, command, options),
    compare: (comparison, options) => compareVideos(settings, comparison, options),
  };
}
