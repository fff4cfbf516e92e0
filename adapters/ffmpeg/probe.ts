import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { JobError } from '../../core/errors.ts';
import { inputGuards } from '../../core/media/ffmpeg/ffmpeg-arguments.ts';
import { classifyFailure } from '../../core/media/ffmpeg/ffmpeg-errors.ts';
import type { ProbeOptions } from '../../core/media/ffmpeg/ports.ts';
import { ffprobeArguments } from '../../core/media/probe/ffprobe-output.ts';
import type { Probe } from '../../core/media/probe/probe.ts';
import { hdrMetadataArguments, pqVideo, withHdrMetadata } from '../../core/media/probe/read-hdr-metadata.ts';
import {
  mayHaveExifOrientation,
  orientationArguments,
  withOrientation,
} from '../../core/media/probe/read-orientation.ts';
import {
  isSubtitleFile,
  mayBeAnimatedWebp,
  needsMeasuredDuration,
  readProbe,
  withMeasuredDuration,
  withOversizedDimensions,
} from '../../core/media/probe/read-probe.ts';
import { captureOutput } from './capture.ts';
import { measureCues, measureDuration, measureWebp } from './measure.ts';
import { isPng, probeHeif, withPngProfile } from './probe-image.ts';
import type { CompleteSettings } from './settings.ts';

/** Probes a file. See `Encoder.probe`. */
export async function probeFile(
  settings: CompleteSettings,
  path: string,
  { signal = new AbortController().signal, role = 'input' }: ProbeOptions = {},
): Promise<Probe> {
  const runFfprobe = (options: string[]) =>
    captureOutput(
      {
        path: settings.ffprobePath,
        arguments: ['-loglevel', 'level+warning', ...guards(settings, role), ...options, path],
        directory: tmpdir(),
        limits: settings.limits,
        libraryPath: settings.libraryPath,
      },
      { signal, timeLimitSeconds: settings.probeSeconds, graceSeconds: settings.graceSeconds },
    );
  const heif = await probeHeif(path);
  if (heif !== undefined) return heif;
  const captured = await runFfprobe(ffprobeArguments);
  if (captured.exitCode !== 0 || captured.termination) {
    const { code, message, retryable } = classifyFailure(captured);
    if (role !== 'output') throw new JobError(code, message, { retryable });
    const problem = await describeEmptyFile(path);
    const text = `An output file ${problem ?? `cannot be read: ${message}`}`;
    throw new JobError('TRANSCODE_ERROR', text, { retryable: retryable && problem === undefined });
  }
  const probe = withOversizedDimensions(parseProbe(captured.stdout), captured.log);
  if (isSubtitleFile(probe)) return withCues(probe, await measureCues(path));
  if (mayBeAnimatedWebp(probe)) return measureWebp(probe, path);
  if (isPng(probe)) return withPngProfile(probe, path);
  if (mayHaveExifOrientation(probe)) {
    const { exitCode, stdout } = await runFfprobe(orientationArguments);
    return exitCode === 0 ? withOrientation(probe, stdout) : probe;
  }
  const complete = await withPeak(probe, runFfprobe);
  if (!needsMeasuredDuration(probe, captured.log)) return complete;
  return withMeasuredDuration(complete, await measureDuration(settings, path, signal));
}

async function withPeak(
  probe: Probe,
  runFfprobe: (options: string[]) => ReturnType<typeof captureOutput>,
): Promise<Probe> {
  const video = pqVideo(probe);
  if (video === undefined) return probe;
  const { exitCode, stdout } = await runFfprobe(hdrMetadataArguments(video));
  return exitCode === 0 ? withHdrMetadata(probe, video, stdout) : probe;
}

/** ffmpeg exits with 0 even when it had nothing to write. Returns undefined for a file with content. */
async function describeEmptyFile(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return 'does not exist: ffmpeg decoded nothing for it from the input';
  return found.size === 0 ? 'is empty' : undefined;
}

function withCues(probe: Probe, lastEndSeconds: number | undefined): Probe {
  return lastEndSeconds === undefined ? probe : withMeasuredDuration(probe, lastEndSeconds);
}

function guards({ encoderLimits }: CompleteSettings, role: ProbeOptions['role']): string[] {
  return inputGuards(encoderLimits, { isTrusted: role === 'output', isSubtitles: role === 'subtitles' });
}

function parseProbe(json: string): Probe {
  try {
    return readProbe(json);
  } catch (cause) {
    throw new JobError('INPUT_UNSUPPORTED', 'The streams of the input cannot be read', { cause });
  }
}
