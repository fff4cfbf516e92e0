// @module-tag nightly
// @module-tag chunks
// @module-tag quality
import { readFile } from 'node:fs/promises';
import { chunkSource, readMediaPlaylist } from '@media-jobs/video/testing';
import { expect, it } from 'vitest';
import { type BothWays, encodeBothWays } from '../builders/chunking/encode-both-ways.ts';

type Segment = { length: number; seconds?: number };

/** The highest bit rate of any run of consecutive segments. */
function maxRateOfAnyRun(segments: readonly Segment[]): number {
  const runs = segments.flatMap((_, from) =>
    segments.slice(from).map((__, more) => segments.slice(from, from + more + 1)),
  );
  return Math.max(...runs.map(rateOf));
}

function rateOf(run: readonly Segment[]): number {
  const sum = (of: (segment: Segment) => number) => run.reduce((total, segment) => total + of(segment), 0);
  return (8 * sum(({ length }) => length)) / sum(({ seconds = 0 }) => seconds);
}

/** The text of a chunked output, by its name. */
async function textOf({ files }: BothWays, name: string): Promise<string> {
  return readFile(files.find(({ output }) => output.name === name)?.chunked ?? '', 'utf8');
}

it.each([2, 3])('no run of segments of %i s exceeds the declared bit rate, also at seams', async (segmentSeconds) => {
  // A pattern that is more than the highest rate can hold, so that every buffer is spent.
  const recipe = { name: 'hls', segmentSeconds, crf: 16, preset: 'ultrafast' } as const;
  const both = await encodeBothWays(await chunkSource('openGop', { pixels: '640x480' }), 'm3u8', recipe);
  expect(both.work.chunks.length).toBeGreaterThan(2);
  const announced = [...(await textOf(both, 'dash')).matchAll(/bandwidth="(\d+)"/g)].map(([, rate]) => Number(rate));
  for (const [size, { name }] of both.videos.entries()) {
    const { segments } = readMediaPlaylist(await textOf(both, `${name}-playlist`));
    const maxRate = maxRateOfAnyRun(segments) / (announced[size] ?? 0);
    expect(maxRate).toBeLessThanOrEqual(1);
    // Less would mean that the pattern did not exhaust the buffers.
    expect(maxRate).toBeGreaterThan(0.8);
  }
});
