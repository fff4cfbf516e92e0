import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { JobError } from '../../core/errors.ts';
import { inputGuards } from '../../core/media/ffmpeg/ffmpeg-arguments.ts';
import { classifyFailure } from '../../core/media/ffmpeg/ffmpeg-errors.ts';
import type { ProbeOptions } from '../../core/media/ffmpeg/ports.ts';
import { ffprobeArguments } from '../../core/media/probe/ffprobe-output.ts';
import type { Probe } from '../../core/media/probe/probe.ts';
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
import { measureDuration } from './measure.ts';
import { measureCues } from './measure-cues.ts';
import { measureWebp } from './measure-webp.ts';
import type { CompleteSettings } from './settings.ts';

/** Measures a file. See `Encoder.probe`. */
export async function probeFile(
  settings: CompleteSettings,
  path: string,
  { signal = new AbortController().signal, role = 'input' }: ProbeOptions = {},
): Promise<Probe> {
  const ask = (question: string[]) =>
    captureOutput(
      {
        path: settings.ffprobePath,
        arguments: ['-loglevel', 'level+warning', ...guards(settings, role), ...question, path],
        directory: tmpdir(),
        limits: settings.limits,
        libraryPath: settings.libraryPath,
      },
      { signal, timeLimitSeconds: settings.probeSeconds, graceSeconds: settings.graceSeconds },
    );
  const captured = await ask(ffprobeArguments);
  if (captured.exitCode !== 0 || captured.termination) {
    const { code, message, retryable } = classifyFailure(captured);
    if (role !== 'output') throw new JobError(code, message, { retryable });
    const nothing = await emptiness(path);
    const what = `A finished file ${nothing ?? `cannot be read: ${message}`}`;
    throw new JobError('TRANSCODE_ERROR', what, { retryable: retryable && nothing === undefined });
  }
  const probe = withOversizedDimensions(parse(captured.stdout), captured.log);
  if (isSubtitleFile(probe)) return withCues(probe, await measureCues(path));
  if (mayBeAnimatedWebp(probe)) return measureWebp(probe, path);
  if (mayHaveExifOrientation(probe)) {
    const { exitCode, stdout } = await ask(orientationArguments);
    return exitCode === 0 ? withOrientation(probe, stdout) : probe;
  }
  if (!needsMeasuredDuration(probe, captured.log)) return probe;
  return withMeasuredDuration(probe, await measureDuration(settings, path, signal));
}

/** How a file holds nothing, if it does; ffmpeg ends well too where there was nothing to write. */
async function emptiness(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return 'is not there: nothing could be decoded from the part of the input for it';
  return found.size === 0 ? 'is empty' : undefined;
}

function withCues(probe: Probe, lastEndSeconds: number | undefined): Probe {
  return lastEndSeconds === undefined ? probe : withMeasuredDuration(probe, lastEndSeconds);
}

function guards({ bounds }: CompleteSettings, of: ProbeOptions['role']): string[] {
  return inputGuards(bounds, { isTrusted: of === 'output', isSubtitles: of === 'subtitles' });
}

function parse(answer: string): Probe {
  try {
    return readProbe(answer);
  } catch (cause) {
    throw new JobError('INPUT_UNSUPPORTED', 'What the input holds cannot be read', {
      cause,
    });
  }
}
