import { describe, expect, it } from 'vitest';
import { box, integers } from '../../../src/media/boxes.ts';
import {
  type ChunkTrack,
  findTrackDefect,
  joinAudio,
  joinVideo,
  setLastSample,
} from '../../../src/media/mp4/join-tracks.ts';
import { readMovie } from '../../../src/media/mp4/read-movie.ts';
import { aMovie, aMovieFile, aTrack } from '../../builders/media/a-movie.ts';

type Differences = Parameters<typeof aTrack>[0];

/** A track of a file of its own, whose samples move by so many bytes. */
async function aChunk(differences: Differences = {}, moveBytes = 0): Promise<ChunkTrack> {
  const file = aMovieFile(aMovie([aTrack(differences)]));
  const readAt = async (offset: number, length: number) => file.subarray(offset, offset + length);
  const [track] = (await readMovie(readAt, file.length))?.tracks ?? [];
  if (track === undefined) throw new Error('The file cannot be joined');
  return { track, moveBytes };
}

/** Decoding starts two frames before the first is shown. */
const reordered = { samples: 4, firstTicks: -2000, endTicks: 4000, offsets: Int32Array.of(2000, 4000, 1000, 1000) };

describe('joined video', () => {
  it('starts each chunk at its time, and its decoding before', async () => {
    const { samples, endTicks } = joinVideo([
      { ...(await aChunk(reordered)), startTicks: 0 },
      { ...(await aChunk(reordered, 500)), startTicks: 4000 },
    ]);
    expect([...samples.dts]).toEqual([-2000, -1000, 0, 1000, 2000, 3000, 4000, 5000]);
    expect([...(samples.offsets ?? [])]).toEqual([2000, 4000, 1000, 1000, 2000, 4000, 1000, 1000]);
    expect(endTicks).toBe(8000);
    expect(samples.positions[1]).toBe((samples.positions[0] ?? 0) + 500);
  });

  it('moves decoding times that meet, and shows frames at their times where it can', async () => {
    const { samples } = joinVideo([
      { ...(await aChunk({ ...reordered, ticks: 3000 })), startTicks: 0 },
      { ...(await aChunk(reordered)), startTicks: 4000 },
    ]);
    expect([...samples.dts].slice(3)).toEqual([7000, 7001, 7002, 7003, 7004]);
    const shown = [...samples.dts].map((ticks, sample) => ticks + (samples.offsets?.[sample] ?? 0));
    expect(shown.slice(4)).toEqual([7001, 7002, 7003, 7004]);
  });

  it('marks keyframes of all chunks if one has other frames', async () => {
    const { samples } = joinVideo([
      { ...(await aChunk({ samples: 2 })), startTicks: 0 },
      { ...(await aChunk({ samples: 3, keyframes: Uint8Array.of(1, 0, 0) })), startTicks: 2000 },
    ]);
    expect([...(samples.keyframes ?? [])]).toEqual([1, 1, 1, 0, 0]);
  });

  it('can show its last frame for longer', async () => {
    const joined = joinVideo([{ ...(await aChunk(reordered)), startTicks: 0 }]);
    const extended = setLastSample(joined, 5500);
    expect([extended.endTicks, extended.samples.lastTicks]).toEqual([5500, 2500]);
    expect(setLastSample(joined, 100).endTicks).toBe(4000);
  });
});

it('joined audio has a time for each packet by its number, and a short last one', async () => {
  const audio = { kind: 'soun', timescale: 48_000, ticks: 1024, samples: 2 } as const;
  const chunks = [
    await aChunk({ ...audio, firstTicks: -1024 }),
    await aChunk({ ...audio, firstTicks: 77, lastTicks: 300 }),
  ];
  const { samples, endTicks } = joinAudio(chunks, { firstTicks: -1024, packetTicks: 1024 });
  expect([...samples.dts]).toEqual([-1024, 0, 1024, 2048]);
  expect([samples.lastTicks, endTicks]).toEqual([300, 2348]);
});

describe('a track with', () => {
  const configured = (byte: number, bitrate = 0) =>
    new Uint8Array([...box('avcC', Uint8Array.of(byte)), ...box('btrt', integers(0, bitrate, bitrate))]);

  it.each<[string, Differences, string | undefined]>([
    ['another kind is not joined', { kind: 'soun' }, 'has a track of soun; expected vide'],
    ['another time scale is not joined', { timescale: 90_000 }, 'has another time scale'],
    ['another configuration is not joined', { configuration: configured(2) }, 'has another decoder configuration'],
    ['another bit rate is joined', { configuration: configured(1, 77) }, undefined],
  ])('%s', async (_, differences, reason) => {
    const chunks = [
      await aChunk({ configuration: configured(1) }),
      await aChunk({ configuration: configured(1), ...differences }),
    ];
    expect(findTrackDefect(chunks, 'vide')).toEqual(reason && { chunk: 1, reason });
  });
});
