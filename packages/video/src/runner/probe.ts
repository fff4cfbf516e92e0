import { readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { JobError } from '../errors.ts';
import { readInBlocks } from '../media/boxes.ts';
import { inputGuards } from '../media/ffmpeg/command.ts';
import { classifyFailure } from '../media/ffmpeg/ffmpeg-errors.ts';
import type { ProbeOptions, RemoteMedia } from '../media/ffmpeg/ports.ts';
import { readExifOrientation } from '../media/probe/exif-orientation.ts';
import { ffprobeArguments } from '../media/probe/ffprobe-output.ts';
import { describeJoinedFiles } from '../media/probe/joined-files.ts';
import {
  firstPacketArguments,
  lacksStreamEnds,
  mayMisstateDuration,
  needsMeasuredDuration,
  type PacketTimes,
  withDiscontinuities,
  withMeasuredDuration,
  withMeasuredEnds,
  withRestart,
  withStreamEnds,
} from '../media/probe/measured-duration.ts';
import { ratePacketArguments, readPacketTimes, withMeasuredRate } from '../media/probe/measured-rate.ts';
import { type Mp4File, readMp4File } from '../media/probe/mp4-file.ts';
import { withMp4Tracks, withStatedKeyframes } from '../media/probe/mp4-tracks.ts';
import type { Probe } from '../media/probe/probe.ts';
import {
  frameArguments,
  frameReading,
  fromKeyframe,
  hasPredictedFrames,
  keyframeArguments,
  startsWithoutKeyframe,
  withFrames,
} from '../media/probe/read-frames.ts';
import { isSubtitleFile, readProbe, withOversizedDimensions } from '../media/probe/read-probe.ts';
import { withMatroskaLanguages } from '../media/probe/stated-languages.ts';
import { endArguments, endReading, statesEnd, videoOfMeasuredRate } from '../media/probe/stated-properties.ts';
import { describeOtherNumbering } from '../media/probe/stream-numbering.ts';
import {
  isBroadcast,
  isImageContainer,
  mayBeAnimatedWebp,
  needsStreamSearch,
  streamSearch,
} from '../media/probe/streams.ts';
import { describeLostParts, mayHaveDiscontinuities, sampleWindows } from '../media/probe/timestamp-discontinuities.ts';
import { withExifOrientation } from '../media/probe/turn.ts';
import { isCutOff, isWholeFile } from '../media/probe/wholeness.ts';
import { detectableSubtitles } from '../media/subtitles/subtitle-file.ts';
import { measureCues, measureEnds, measureWebp } from './measure.ts';
import { hideApertures, isPng, jpegArguments, probeHeif, withPngProfile } from './probe-image.ts';
import { areOneVersion, type CompleteSettings, captureOutput, type FinishedProgram } from './run.ts';
import { openFile } from './workspace.ts';

export async function probeFile(
  settings: CompleteSettings,
  path: string,
  { signal = new AbortController().signal, role = 'input', remote, readsCaptions }: ProbeOptions = {},
): Promise<Probe> {
  const isRemote = remote !== undefined;
  // ffprobe reports a file that cannot be opened.
  await using local = isRemote ? undefined : await openFile(path).catch(() => undefined);
  if (local && role === 'subtitles') await makeDetectable(path);
  const opened = remote ?? local;
  // Small reads of the start of the file and of the index of an MP4 share their blocks.
  const inBlocks = opened && { readAt: readInBlocks(opened.readAt), sizeBytes: opened.sizeBytes };
  const demuxer = inBlocks && role === 'input' ? await jpegArguments(inBlocks) : [];
  const kind = { isTrusted: role === 'output', isSubtitles: role === 'subtitles', isRemote };
  const inputOptions = [...inputGuards(settings.encoderLimits, kind), ...demuxer];
  const runProgram = (program: string, options: string[]) =>
    captureOutput(
      { path: program, arguments: [...options, path], directory: tmpdir(), remote: isRemote ? [path] : [] },
      { ...settings, signal, timeLimitSeconds: settings.probeSeconds },
    );
  const runFfprobe = (options: string[]) =>
    runProgram(settings.ffprobePath, ['-loglevel', 'level+warning', ...inputOptions, ...options]);
  const heif = inBlocks && (await probeHeif(inBlocks));
  if (heif !== undefined) {
    if (local) await hideApertures(path, local);
    return heif;
  }
  const captured = await runFfprobe(ffprobeArguments);
  if (captured.exitCode !== 0 || captured.termination) {
    throw role === 'output' ? await outputError(path, captured) : classifyFailure(captured);
  }
  const durationsAreEnds = await readEnd(captured.stdout, runFfprobe);
  const found = parseProbe(captured, durationsAreEnds);
  const probe =
    inBlocks && isImageContainer(found.container)
      ? withExifOrientation(found, await readExifOrientation(found.container, inBlocks.readAt))
      : found;
  const measure = (read: Probe) => measureEnds(settings, { path, isRemote, probe: read }, signal);
  const { log } = captured;
  const compareNumbering = async (read: Probe) => {
    if (await areOneVersion(settings)) return undefined;
    const opening = await runProgram(settings.ffmpegPath, ['-hide_banner', '-nostdin', ...inputOptions, '-i']);
    return describeOtherNumbering(read, captured.stdout, opening.log);
  };
  return await addFileProperties(probe, {
    path,
    role,
    opened,
    inBlocks,
    isRemote,
    readsCaptions,
    runFfprobe,
    log,
    durationsAreEnds,
    measure,
    compareNumbering,
    signal,
  });
}

/** Rewrites a subtitle file on disk, of at most `maxSubtitleBytes`, if ffmpeg would not detect it as such. */
async function makeDetectable(path: string): Promise<void> {
  const file = await readFile(path);
  const detectable = detectableSubtitles(file);
  if (detectable !== file) await writeFile(path, detectable);
}

/** An output that cannot be read: the error of the encoding, not of an input. */
async function outputError(path: string, captured: FinishedProgram): Promise<JobError> {
  const failure = classifyFailure(captured);
  const problem = await describeEmptyFile(path);
  const message = `An output file ${problem ?? `cannot be read: ${failure.message}`}`;
  return new JobError('TRANSCODE_ERROR', message, { retryable: failure.retryable && problem === undefined });
}

type RunFfprobe = (options: string[]) => ReturnType<typeof captureOutput>;

type ProbedFile = Pick<ProbeOptions, 'role' | 'readsCaptions'> & {
  path: string;
  opened: RemoteMedia | undefined;
  /** The same file for small reads near each other. */
  inBlocks: RemoteMedia | undefined;
  isRemote: boolean;
  runFfprobe: RunFfprobe;
  log: string;
  durationsAreEnds: boolean;
  signal: AbortSignal;
  /** A sentence if ffmpeg numbers the streams differently. */
  compareNumbering: (probe: Probe) => Promise<string | undefined>;
  /** Reads all packets. */
  measure: (probe: Probe) => Promise<PacketTimes>;
};

/** Adds what the first run of ffprobe does not report, by the kind of the file. */
async function addFileProperties(probe: Probe, file: ProbedFile): Promise<Probe> {
  const { path, role, opened, inBlocks, isRemote } = file;
  if (isSubtitleFile(probe)) {
    const endSeconds = await measureCues(path);
    return endSeconds === undefined ? probe : withMeasuredDuration(probe, endSeconds);
  }
  if (inBlocks && mayBeAnimatedWebp(probe)) return await measureWebp(probe, inBlocks.readAt);
  if (inBlocks && isPng(probe)) return await withPngProfile(probe, inBlocks);
  if (isImageContainer(probe.container)) return probe;
  const isInput = role === 'input';
  const isStream = isInput && opened && isBroadcast(probe);
  const windows = isStream ? await sampleWindows(opened) : [];
  const isMp4 = isInput && opened && inBlocks && probe.container.includes('mp4');
  const mp4 = isMp4 ? await readMp4File({ ...opened, readInBlocks: inBlocks.readAt }, file) : { wholeness: {} };
  const misreading =
    (isStream ? describeLostParts(probe, windows) : mp4.wholeness.misreading) ??
    (isInput && inBlocks && !isMp4
      ? await describeJoinedFiles(probe.container, { ...inBlocks, isRemote })
      : undefined) ??
    (isInput ? await file.compareNumbering(probe) : undefined);
  const complete = {
    ...(isInput ? await withPackets(probe, file, mp4) : probe),
    ...mp4.wholeness,
    misreading,
    ...((await endsEarly(probe, windows, file)) && { isCutOff: true as const }),
  };
  const measure = () => file.measure(complete);
  if (needsMeasuredDuration(probe, file.log)) {
    const times = await measure();
    return withRestart(withMeasuredEnds(complete, times.ends), times);
  }
  if (!isInput || !opened) return complete;
  if (isStream && mayHaveDiscontinuities(probe.container, windows))
    return withDiscontinuities(complete, (await measure()).ends);
  if (file.isRemote || !(lacksStreamEnds(complete) || mayMisstateDuration(complete))) return complete;
  const times = await measure().catch((cause: unknown) => {
    // Without it, the streams count as long as their file.
    if (cause instanceof JobError && !file.signal.aborted) return undefined;
    throw cause;
  });
  if (times === undefined) return complete;
  const isWhole = await isWholeFile(probe.container, opened);
  return withRestart(withStreamEnds(complete, times.ends, { isWhole }), times);
}

async function endsEarly(
  probe: Probe,
  windows: readonly Buffer[],
  { log, inBlocks }: Pick<ProbedFile, 'log' | 'inBlocks'>,
): Promise<boolean> {
  const end = windows.at(-1);
  if (end !== undefined) return isCutOff(probe.container, end);
  const isRecording = probe.container === 'flv' && needsMeasuredDuration(probe, log);
  return isRecording && inBlocks !== undefined && !(await isWholeFile(probe.container, inBlocks));
}

/** Adds what only the index of an MP4, the header of a Matroska, packets and frames state. */
async function withPackets(probe: Probe, file: ProbedFile, mp4: Mp4File): Promise<Probe> {
  const found = withMp4Tracks(await withLateStreams(probe, file), mp4);
  const { inBlocks } = file;
  const named = inBlocks && found.container.includes('matroska') ? await withMatroskaLanguages(found, inBlocks) : found;
  const rated = await withPacketRate(named, file.runFfprobe);
  return await withFirstFrames(await withEmptyTracks(rated, file.runFfprobe), file, mp4);
}

async function withPacketRate(probe: Probe, runFfprobe: RunFfprobe): Promise<Probe> {
  const video = videoOfMeasuredRate(probe);
  if (video === undefined) return probe;
  const { exitCode, stdout } = await runFfprobe(ratePacketArguments(video));
  if (exitCode !== 0) return probe;
  const rated = withMeasuredRate(video, readPacketTimes(stdout), probe);
  return { ...probe, streams: probe.streams.map((stream) => (stream === video ? rated : stream)) };
}

async function withLateStreams(
  probe: Probe,
  { runFfprobe, durationsAreEnds }: Pick<ProbedFile, 'runFfprobe' | 'durationsAreEnds'>,
): Promise<Probe> {
  if (!needsStreamSearch(probe)) return probe;
  const searched = await runFfprobe([...streamSearch, ...ffprobeArguments]);
  return searched.exitCode === 0 ? parseProbe(searched, durationsAreEnds) : probe;
}

/**
 * Reads as far as the first packet of a track; without one, to the end of the file, past the data of the other tracks. A
 * track of which no packet is found within the time limit counts as one with packets.
 */
async function withEmptyTracks(probe: Probe, runFfprobe: RunFfprobe): Promise<Probe> {
  const streams = probe.streams.map(async (stream) => {
    if (!('mayBeEmpty' in stream && stream.mayBeEmpty)) return stream;
    const { exitCode, stdout } = await runFfprobe(firstPacketArguments(stream));
    return exitCode === 0 && stdout === '' ? { ...stream, isEmpty: true as const } : stream;
  });
  return { ...probe, streams: await Promise.all(streams) };
}

async function withFirstFrames(
  probe: Probe,
  { readsCaptions, runFfprobe }: Pick<ProbedFile, 'readsCaptions' | 'runFfprobe'>,
  mp4: Mp4File,
): Promise<Probe> {
  const wanted = frameReading(probe, { readsCaptions });
  if (wanted === undefined) return probe;
  const first = await runFfprobe(frameArguments(wanted));
  if (first.exitCode !== 0) return probe;
  const isLate = startsWithoutKeyframe(probe, first.stdout);
  const found = isLate ? (await runFfprobe(keyframeArguments(wanted))).stdout : '';
  const { reading, probe: started } = isLate ? fromKeyframe(probe, wanted, found) : { reading: wanted, probe };
  const { stdout } = reading === wanted ? first : await runFfprobe(frameArguments(reading));
  const framed = withFrames(started, reading, stdout);
  return hasPredictedFrames(stdout) ? withStatedKeyframes(framed, reading.stream, mp4) : framed;
}

/** ffmpeg exits with 0 even when it had nothing to write. Returns undefined for a file with content. */
async function describeEmptyFile(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return 'does not exist: ffmpeg decoded nothing for it from the input';
  return found.size === 0 ? 'is empty' : undefined;
}

function parseProbe({ stdout, log }: { stdout: string; log: string }, durationsAreEnds: boolean): Probe {
  return parseOutput(() => withOversizedDimensions(readProbe(stdout, { durationsAreEnds }), log));
}

/** Whether the durations in this output of ffprobe are ends. Reads the last packets if they may be. */
async function readEnd(json: string, runFfprobe: RunFfprobe): Promise<boolean> {
  const reading = parseOutput(() => endReading(json));
  if (reading === undefined) return false;
  const { exitCode, stdout } = await runFfprobe(endArguments(reading));
  return exitCode === 0 && statesEnd(reading, stdout);
}

function parseOutput<Result>(parse: () => Result): Result {
  try {
    return parse();
  } catch (cause) {
    throw new JobError('INPUT_UNSUPPORTED', 'The streams of the input cannot be read', { cause });
  }
}
