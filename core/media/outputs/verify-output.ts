import { JobError } from '../../errors.ts';
import type { Size } from '../frame-size.ts';
import type { Probe } from '../probe/probe.ts';
import { mainAudio, mainVideo } from '../probe/streams.ts';

/** What the plan promises of an output; `verify` compares the finished file with it. */
export type OutputExpectation = {
  /** A playlist, or another text that names files beside it: it is read, not probed. */
  referencesFiles?: true;
  /** Seconds; left out for still pictures. */
  durationSeconds?: number;
  /** Whether it may have no length: an animation in which nothing moves is written as a still picture. */
  mayBeStillImage?: boolean;
  /** ffmpeg's codec name and the exact size; left out where no picture is expected. */
  video?: Size & { codec: string };
  /** Left out where no sound is expected. */
  audio?: { codec: string };
  /** At least one cue, and none that ends long after this moment; left out where no subtitles are expected. */
  subtitles?: { codec: string; latestEndSeconds?: number };
};

/**
 * Compares a finished file with what the plan promised: ffmpeg ends with code 0 for a truncated input too.
 * @throws JobError `TRANSCODE_ERROR` that names what was planned and what was found
 */
export function verifyOutput(probe: Probe, expectation: OutputExpectation): void {
  verifyDuration(probe, expectation);
  verifyPicture(probe, expectation);
  verifySound(probe, expectation);
  verifySubtitles(probe, expectation);
}

function verifyDuration(
  probe: Probe,
  { durationSeconds: planned, mayBeStillImage }: OutputExpectation,
): void {
  if (planned === undefined || (mayBeStillImage && probe.durationSeconds === undefined)) return;
  const found = probe.durationSeconds ?? 0;
  if (Math.abs(found - planned) <= durationToleranceSeconds(planned)) return;
  const cause = found < planned ? '; the input is probably damaged or cut short' : '';
  disagree(`lasts ${found.toFixed(2)} s`, `${planned.toFixed(2)} s${cause}`);
}

function verifyPicture(probe: Probe, { video: planned }: OutputExpectation): void {
  const found = mainVideo(probe);
  if (!planned) {
    if (found) disagree('has a picture', 'sound alone');
    return;
  }
  if (!found) disagree('has no picture', 'one');
  if (found.codec !== planned.codec) disagree(`holds ${found.codec}`, planned.codec);
  if (found.width === planned.width && found.height === planned.height) return;
  disagree(`is ${found.width}x${found.height} pixels`, `${planned.width}x${planned.height}`);
}

function verifySound(probe: Probe, { audio: planned }: OutputExpectation): void {
  const found = mainAudio(probe);
  if (!planned) {
    if (found) disagree('has sound', 'none');
    return;
  }
  if (!found) disagree('has no sound', 'some');
  if (found.codec !== planned.codec) disagree(`holds ${found.codec} sound`, planned.codec);
}

function verifySubtitles(
  { streams, durationSeconds: last }: Probe,
  { subtitles: planned }: OutputExpectation,
): void {
  if (!planned) return;
  const found = streams.find(({ kind }) => kind === 'subtitle');
  if (found?.codec !== planned.codec) disagree(`holds ${found?.codec ?? 'no subtitles'}`, planned.codec);
  if (last === undefined) disagree('has no cue', 'one at least');
  const { latestEndSeconds: latest = Number.POSITIVE_INFINITY } = planned;
  if (last <= latest + durationToleranceSeconds(latest)) return;
  disagree(`ends with a cue at ${last.toFixed(2)} s`, `${latest.toFixed(2)} s, the input's end`);
}

/** Seconds that a container's own rounding, encoder delay and the last frame's length may account for. */
export function durationToleranceSeconds(planned: number): number {
  return Math.max(0.5, planned * 0.01);
}

function disagree(found: string, planned: string): never {
  throw new JobError('TRANSCODE_ERROR', `The finished file ${found}; planned was ${planned}`);
}
