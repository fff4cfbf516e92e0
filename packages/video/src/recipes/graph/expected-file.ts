import type { PlanCost } from '../../cost-model/plan-cost.ts';
import type { MediaFile, PlannedOutput } from '../../encoding/plan.ts';
import { rejectInput } from '../../errors.ts';
import { type Format, formats } from '../../media/formats.ts';
import type { OutputExpectation } from '../../media/outputs/verify-output.ts';
import { type AudioStream, type Probe, plainVideo, type VideoStream } from '../../media/probe/probe.ts';
import { isAnimatedWebp, mainAudio, mainVideo } from '../../media/probe/streams.ts';
import type { Step } from './steps.ts';

/** What a step makes, as the input of the next. @throws JobError `INPUT_UNSUPPORTED` if no step can follow */
export function expectedFile(
  outputs: readonly PlannedOutput[],
  { recipe }: Step,
  [input]: readonly MediaFile[],
  { outputBytes }: PlanCost,
): MediaFile {
  const [output] = outputs;
  if (output?.name !== 'output' || output.expectation === undefined || input === undefined) {
    const result = output?.name === 'output' ? `a ${output.format} file` : 'several files';
    rejectInput(`${recipe.name} makes ${result}, which no step can follow`);
  }
  const probe = { ...expectedProbe(output, input.probe), sizeBytes: Math.round(outputBytes) };
  if (isAnimatedWebp(probe)) {
    rejectInput(`${recipe.name} makes an animation that cannot be decoded, so no step can follow`);
  }
  return { path: output.filename, probe };
}

function expectedProbe({ format, expectation = {}, copiedStreams = [] }: PlannedOutput, inputProbe: Probe): Probe {
  const encoded = [...encodedVideo(expectation, inputProbe), ...encodedAudio(expectation, inputProbe)];
  const streams = [
    ...copiedStreams,
    ...encoded.filter((stream) => !copiedStreams.some(({ kind }) => kind === stream.kind)),
  ];
  return {
    container: containers[format] ?? formats[format].muxer ?? format,
    sizeBytes: 0,
    durationSeconds: expectation.durationSeconds,
    streams: streams.map((stream, index) => ({ ...stream, index })),
  };
}

/** ffprobe's names of containers that its muxers call otherwise. */
const containers: { [format in Format]?: string } = {
  mp4: 'mov,mp4,m4a,3gp,3g2,mj2',
  mov: 'mov,mp4,m4a,3gp,3g2,mj2',
  m4a: 'mov,mp4,m4a,3gp,3g2,mj2',
  mkv: 'matroska,webm',
  webm: 'matroska,webm',
  opus: 'ogg',
};

function encodedVideo({ durationSeconds, video }: OutputExpectation, inputProbe: Probe): VideoStream[] {
  if (video === undefined) return [];
  const { framesPerSecond } = mainVideo(inputProbe) ?? {};
  const rate = durationSeconds === undefined ? undefined : framesPerSecond;
  return [{ ...plainVideo, durationSeconds, ...video, framesPerSecond: rate }];
}

function encodedAudio({ durationSeconds, audio }: OutputExpectation, inputProbe: Probe): AudioStream[] {
  if (audio === undefined) return [];
  const main = mainAudio(inputProbe);
  const stream: AudioStream = {
    kind: 'audio',
    index: 0,
    isDefault: true,
    startSeconds: 0,
    durationSeconds,
    codec: audio.codec,
    channels: audio.channels ?? main?.channels ?? 2,
    sampleRateHz: main?.sampleRateHz ?? 48_000,
  };
  return Array.from({ length: audio.tracks ?? 1 }, () => stream);
}
