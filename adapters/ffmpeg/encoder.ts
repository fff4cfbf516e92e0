import type { Encoder } from '../../core/media/ffmpeg/ports.ts';
import { readFilters } from './filters.ts';
import { memoizeSuccess } from './once-answered.ts';
import { probeFile } from './probe.ts';
import { runCommand } from './run.ts';
import { type FfmpegSettings, withDefaults } from './settings.ts';
import { readVersion } from './version.ts';

/** The encoder made of the ffmpeg and ffprobe of this machine, each run guarded against hostile files. */
export function ffmpegEncoder(given: FfmpegSettings): Encoder {
  const settings = withDefaults(given);
  return {
    version: memoizeSuccess(() => readVersion(settings)),
    filters: memoizeSuccess(() => readFilters(settings)),
    probe: (path, options) => probeFile(settings, path, options),
    run: (command, options) => runCommand(settings, command, options),
  };
}
