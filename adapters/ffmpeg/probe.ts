import { open, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { JobError } from '../../core/errors.ts';
import { inputGuards } from '../../core/media/ffmpeg/ffmpeg-arguments.ts';
import { classifyFailure } from '../../core/media/ffmpeg/ffmpeg-errors.ts';
import type { ProbeOptions, RemoteMedia } from '../../core/media/ffmpeg/ports.ts';
import { readExifOrientation } from '../../core/media/probe/exif-orientation.ts';
import { ffprobeArguments } from '../../core/media/probe/ffprobe-output.ts';
import { needsStreamSearch, streamSearch } from '../../core/media/probe/late-streams.ts';
import type { Probe } from '../../core/media/probe/probe.ts';
import { frameArguments, frameReading, withFrames } from '../../core/media/probe/read-frames.ts';
import {
  mayHaveExifOrientation,
  orientationArguments,
  withExifOrientation,
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
import { readFileAt } from '../filesystem/read-file-at.ts';
import { captureOutput } from './capture.ts';
import { measureCues, measureDuration, measureWebp } from './measure.ts';
import { hideApertures, isPng, jpegArguments, probeHeif, withPngProfile } from './probe-image.ts';
import type { CompleteSettings } from './settings.ts';

/** Probes a file. See `Encoder.probe`. */
export async function probeFile(
  settings: CompleteSettings,
  path: string,
  { signal = new AbortController().signal, role = 'input', remote, readsCaptions }: ProbeOptions = {},
): Promise<Probe> {
  const isRemote = remote !== undefined;
  await using local = isRemote ? undefined : await openLocal(path);
  const opened = remote ?? local;
  const demuxer = opened && role === 'input' ? await jpegArguments(opened) : [];
  const runFfprobe = (options: string[]) =>
    captureOutput(
      {
        path: settings.ffprobePath,
        arguments: [
          '-loglevel',
          'level+warning',
          ...guards(settings, { role, isRemote }),
          ...demuxer,
          ...options,
          path,
        ],
        directory: tmpdir(),
        limits: settings.limits,
        libraryPath: settings.libraryPath,
      },
      { signal, timeLimitSeconds: settings.probeSeconds, graceSeconds: settings.graceSeconds },
    );
  const heif = opened && (await probeHeif(opened));
  if (heif !== undefined) {
    if (local) await hideApertures(path, local);
    return heif;
  }
  const captured = await runFfprobe(ffprobeArguments);
  if (captured.exitCode !== 0 || captured.termination) {
    const failure = classifyFailure(captured);
    if (role !== 'output') throw failure;
    const problem = await describeEmptyFile(path);
    const message = `An output file ${problem ?? `cannot be read: ${failure.message}`}`;
    throw new JobError('TRANSCODE_ERROR', message, {
      retryable: failure.retryable && problem === undefined,
    });
  }
  const found = parseProbe(captured);
  const probe = opened
    ? withExifOrientation(found, await readExifOrientation(found.container, opened.readAt))
    : found;
  if (isSubtitleFile(probe)) return withCues(probe, await measureCues(path));
  if (opened && mayBeAnimatedWebp(probe)) return await measureWebp(probe, opened.readAt);
  if (opened && isPng(probe)) return await withPngProfile(probe, opened);
  if (mayHaveExifOrientation(probe)) {
    const { exitCode, stdout } = await runFfprobe(orientationArguments);
    return exitCode === 0 ? withOrientation(probe, stdout) : probe;
  }
  const complete =
    role === 'input'
      ? await withFirstFrames(await withLateStreams(probe, runFfprobe), { readsCaptions, runFfprobe })
      : probe;
  if (!needsMeasuredDuration(probe, captured.log)) return complete;
  return withMeasuredDuration(complete, await measureDuration(settings, { path, isRemote }, signal));
}

type RunFfprobe = (options: string[]) => ReturnType<typeof captureOutput>;

async function withLateStreams(probe: Probe, runFfprobe: RunFfprobe): Promise<Probe> {
  if (!needsStreamSearch(probe)) return probe;
  const searched = await runFfprobe([...streamSearch, ...ffprobeArguments]);
  return searched.exitCode === 0 ? parseProbe(searched) : probe;
}

async function withFirstFrames(
  probe: Probe,
  { readsCaptions, runFfprobe }: Pick<ProbeOptions, 'readsCaptions'> & { runFfprobe: RunFfprobe },
): Promise<Probe> {
  const reading = frameReading(probe, { readsCaptions });
  if (reading === undefined) return probe;
  const { exitCode, stdout } = await runFfprobe(frameArguments(reading));
  return exitCode === 0 ? withFrames(probe, reading, stdout) : probe;
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

type InputKind = Pick<ProbeOptions, 'role'> & { isRemote: boolean };

function guards({ encoderLimits }: CompleteSettings, { role, isRemote }: InputKind): string[] {
  const kind = { isTrusted: role === 'output', isSubtitles: role === 'subtitles', isRemote };
  return inputGuards(encoderLimits, kind);
}

/** Undefined for a missing file, which ffprobe reports. */
async function openLocal(path: string): Promise<(RemoteMedia & AsyncDisposable) | undefined> {
  const file = await open(path).catch(() => undefined);
  if (file === undefined) return undefined;
  const { size: sizeBytes } = await file.stat();
  return { readAt: readFileAt(file), sizeBytes, [Symbol.asyncDispose]: () => file.close() };
}

function parseProbe({ stdout, log }: { stdout: string; log: string }): Probe {
  try {
    return withOversizedDimensions(readProbe(stdout), log);
  } catch (cause) {
    throw new JobError('INPUT_UNSUPPORTED', 'The streams of the input cannot be read', { cause });
  }
}
