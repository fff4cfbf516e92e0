import type { Encoder } from '../../core/media/ports.ts';
import { readFilters } from './filters.ts';
import { probeFile } from './probe.ts';
import { runCommand } from './run.ts';
import { complete, type FfmpegSettings } from './settings.ts';
import { readVersion } from './version.ts';

/** The encoder made of the ffmpeg and ffprobe of this machine, each run guarded against hostile files. */
export function ffmpegEncoder(given: FfmpegSettings): Encoder {
  const settings = complete(given);
  let version: Promise<string> | undefined;
  let filters: Promise<ReadonlySet<string>> | undefined;
  return {
    version() {
      version ??= readVersion(settings);
      return version;
    },
    filters() {
      filters ??= readFilters(settings);
      return filters;
    },
    probe: (path, options) => probeFile(settings, path, options),
    run: (command, options) => runCommand(settings, command, options),
  };
}
