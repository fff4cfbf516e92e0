import type { Encoder } from '../../core/media/ports.ts';
import { readFilters } from './filters.ts';
import { onceAnswered } from './once-answered.ts';
import { probeFile } from './probe.ts';
import { runCommand } from './run.ts';
import { complete, type FfmpegSettings } from './settings.ts';
import { readVersion } from './version.ts';

/** The encoder made of the ffmpeg and ffprobe of this machine, each run guarded against hostile files. */
export function ffmpegEncoder(given: FfmpegSettings): Encoder {
  const settings = complete(given);
  return {
    version: onceAnswered(() => readVersion(settings)),
    filters: onceAnswered(() => readFilters(settings)),
    probe: (path, options) => probeFile(settings, path, options),
    run: (command, options) => runCommand(settings, command, options),
  };
}
