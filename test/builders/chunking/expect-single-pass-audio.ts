import { audioErrorsDb, audioSamples, bareFfprobe, percentile99, splitWindows } from '@media-jobs/video/testing';
import { expect } from 'vitest';
import type { BothWays } from './encode-both-ways.ts';

/** The tracks of the joined files have the packets of a single pass at the same times, and as many samples. */
export async function expectSinglePassTimes(both: BothWays, chunks: number): Promise<void> {
  expect(both.work.audioChunks).toHaveLength(chunks);
  const withAudio = both.files.filter(({ output }) => output.expectation?.audio);
  expect(withAudio.length).toBeGreaterThan(0);
  for (const { chunked, single } of withAudio) await expectSameAudioTimes(chunked, single);
}

/** The same packets at the same times, and as many samples. */
export async function expectSameAudioTimes(joined: string, single: string): Promise<void> {
  expect(await packetTimes(joined)).toEqual(await packetTimes(single));
  expect((await audioSamples(joined)).length).toBe((await audioSamples(single)).length);
}

async function packetTimes(path: string): Promise<string[]> {
  const entries = 'packet=stream_index,pts,duration,flags:packet_side_data:stream=index,time_base,start_time,duration';
  const lines = await bareFfprobe(['-select_streams', 'a', '-show_entries', entries, '-of', 'compact', path]);
  return lines.sort();
}

/**
 * In windows of 20 ms, the error against the source, or against what a single pass encodes, is no larger at the seams than
 * elsewhere, to 1 dB.
 */
export async function expectNoSeams(
  { work, inputs, chunked }: BothWays,
  source = inputs.sources[0] ?? '',
): Promise<void> {
  const seams = seamSeconds(work);
  const { near, elsewhere } = splitWindows(await audioErrorsDb(chunked, source), seams);
  expect(near.length).toBeGreaterThan(9 * seams.length);
  expect(percentile99(near)).toBeLessThan(percentile99(elsewhere) + 1);
}

/** When each chunk of the audio but the first starts. */
function seamSeconds({ audioChunks = [] }: BothWays['work']): number[] {
  return audioChunks.slice(1).flatMap(({ tracks: [track] }) => {
    if (track === undefined) return [];
    const { firstPacket, packetSamples, delaySamples, sampleRateHz } = track;
    return (firstPacket * packetSamples - delaySamples) / sampleRateHz;
  });
}
