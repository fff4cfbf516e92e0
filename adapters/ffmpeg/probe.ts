import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { JobError } from '../../core/errors.ts';
import { inputGuards } from '../../core/media/ffmpeg-arguments.ts';
import { classifyFailure } from '../../core/media/ffmpeg-errors.ts';
import { ffprobeArguments } from '../../core/media/ffprobe-answer.ts';
import type { ProbeOptions } from '../../core/media/ports.ts';
import type { Probe } from '../../core/media/probe.ts';
import { mayBeTurned, orientationArguments, withOrientation } from '../../core/media/read-orientation.ts';
import {
  isSubtitleFile,
  mayBeAnimation,
  needsMeasuring,
  readProbe,
  withMeasuredDuration,
  withRefusedSize,
} from '../../core/media/read-probe.ts';
import { capture } from './capture.ts';
import { measureCues } from './measure-cues.ts';
import { measureDuration } from './measure-duration.ts';
import { measureWebp } from './measure-webp.ts';
import type { CompleteSettings } from './settings.ts';

/** Measures a file. See `Encoder.probe`. */
export async function probeFile(
  settings: CompleteSettings,
  path: string,
  { signal = new AbortController().signal, of = 'input' }: ProbeOptions = {},
): Promise<Probe> {
  const ask = (question: string[]) =>
    capture(
      {
        path: settings.ffprobePath,
        arguments: ['-loglevel', 'level+warning', ...guards(settings, of), ...question, path],
        directory: tmpdir(),
        limits: settings.limits,
        libraryPath: settings.libraryPath,
      },
      { signal, timeLimitSeconds: settings.probeSeconds, graceSeconds: settings.graceSeconds },
    );
  const captured = await ask(ffprobeArguments);
  if (captured.exitCode !== 0 || captured.endedBy) {
    const { code, message, retryable } = classifyFailure(captured);
    if (of !== 'output') throw new JobError(code, message, { retryable });
    const nothing = await emptiness(path);
    const what = `A finished file ${nothing ?? `cannot be read: ${message}`}`;
    throw new JobError('TRANSCODE_ERROR', what, { retryable: retryable && nothing === undefined });
  }
  const probe = withRefusedSize(parse(captured.stdout), captured.log);
  if (isSubtitleFile(probe)) return withCues(probe, await measureCues(path));
  if (mayBeAnimation(probe)) return measureWebp(probe, path);
  if (mayBeTurned(probe)) {
    const { exitCode, stdout } = await ask(orientationArguments);
    return exitCode === 0 ? withOrientation(probe, stdout) : probe;
  }
  if (!needsMeasuring(probe, captured.log)) return probe;
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

function guards({ bounds }: CompleteSettings, of: ProbeOptions['of']): string[] {
  return inputGuards(bounds, { isOurs: of === 'output', isSubtitles: of === 'subtitles' });
}

function parse(answer: string): Probe {
  try {
    return readProbe(answer);
  } catch (cause) {
    throw new JobError('INPUT_UNSUPPORTED', 'What the input holds cannot be read', {
      retryable: false,
      cause,
    });
  }
}
