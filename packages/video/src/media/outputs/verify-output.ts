import { JobError } from '../../errors.ts';
import { durationToleranceSeconds } from '../frame-rate.ts';
import type { Size } from '../frame-size.ts';
import type { Probe } from '../probe/probe.ts';
import { mainAudio, mainVideo } from '../probe/streams.ts';

/** The planned properties of an output, with which `verifyOutput` compares the finished file. */
export type OutputExpectation = {
  /** A playlist or another text that refers to other outputs: it is parsed, not probed. */
  referencesFiles?: true;
  /** Which streams it has is not known: it has some. */
  anyStreams?: true;
  /** Undefined for still images. */
  durationSeconds?: number | undefined;
  /** Set if subtitles may last longer than video and audio. */
  maxDurationSeconds?: number | undefined;
  /** An animation without motion is written as a still image, which has no duration. */
  mayBeStillImage?: boolean;
  /** ffmpeg's codec name and the exact size. Undefined: no video stream. */
  video?: (Size & { codec: string }) | undefined;
  /** Undefined: no audio stream. `tracks` and `channels`, where they are promised. */
  audio?: { codec: string; tracks?: number; channels?: number } | undefined;
  /** At least one cue, and none that ends after this second. Undefined: subtitles are not checked. */
  subtitles?: { codec: string; latestEndSeconds?: number | undefined };
};

/**
 * Compares a finished file with the plan, since ffmpeg exits with 0 for a truncated input too.
 * @throws JobError `TRANSCODE_ERROR` with the expected and the found value
 */
export function verifyOutput(probe: Probe, expectation: OutputExpectation): void {
  if (expectation.anyStreams) {
    if (probe.streams.length === 0) reject('has no stream', 'at least one');
    return;
  }
  verifyDuration(probe, expectation);
  verifyVideo(probe, expectation);
  verifyAudio(probe, expectation);
  verifySubtitles(probe, expectation);
}

function verifyDuration(
  probe: Probe,
  { durationSeconds: planned, maxDurationSeconds, mayBeStillImage }: OutputExpectation,
): void {
  if (planned === undefined || (mayBeStillImage && probe.durationSeconds === undefined)) return;
  const found = probe.durationSeconds ?? 0;
  const latest = Math.max(planned, maxDurationSeconds ?? planned);
  const isShort = found < planned - durationToleranceSeconds(planned);
  if (!isShort && found <= latest + durationToleranceSeconds(latest)) return;
  const hint = isShort ? '. The input is probably damaged or truncated' : '';
  reject(`lasts ${found.toFixed(2)} s`, `${planned.toFixed(2)} s${hint}`);
}

function verifyVideo(probe: Probe, { video: planned }: OutputExpectation): void {
  const found = mainVideo(probe);
  if (!planned) {
    if (found) reject('has a video stream', 'only audio');
    return;
  }
  if (!found) reject('has no video stream', 'one');
  if (found.codec !== planned.codec) reject(`has ${found.codec} video`, planned.codec);
  if (found.width === planned.width && found.height === planned.height) return;
  reject(`is ${found.width}x${found.height} pixels`, `${planned.width}x${planned.height}`);
}

function verifyAudio(probe: Probe, { audio: planned }: OutputExpectation): void {
  const all = probe.streams.filter((stream) => stream.kind === 'audio');
  // Matroska may have a track without packets, of such a track of the input.
  const found = mainAudio(probe) ?? all[0];
  if (!planned) {
    if (found) reject('has audio', 'none');
    return;
  }
  if (!found) {
    const hint = 'The audio track of the input is probably empty: the recipe mute leaves it out';
    reject('has no audio', `an audio stream. ${hint}`);
  }
  const { tracks, channels } = planned;
  // Of several, another may be the main track: MOV does not store which of them is an audio description.
  if (all.every(({ codec }) => codec !== planned.codec)) reject(`has ${found.codec} audio`, planned.codec);
  if (tracks !== undefined && all.length !== tracks) reject(`has ${all.length} audio tracks`, String(tracks));
  if (channels !== undefined && found.channels !== channels) {
    reject(`has ${found.channels} audio channels`, String(channels));
  }
}

function verifySubtitles({ streams, durationSeconds: last }: Probe, { subtitles: planned }: OutputExpectation): void {
  if (!planned) return;
  const found = streams.find(({ kind }) => kind === 'subtitle');
  if (found?.codec !== planned.codec) reject(`has ${found?.codec ?? 'no subtitles'}`, planned.codec);
  if (last === undefined) reject('has no cue', 'at least one');
  const { latestEndSeconds: latest = Number.POSITIVE_INFINITY } = planned;
  if (last <= latest + durationToleranceSeconds(latest)) return;
  reject(`ends with a cue at ${last.toFixed(2)} s`, `${latest.toFixed(2)} s, the input's end`);
}

function reject(found: string, planned: string): never {
  throw new JobError('TRANSCODE_ERROR', `The finished file ${found}; expected ${planned}`);
}
