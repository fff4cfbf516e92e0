import { stat } from 'node:fs/promises';
import type { Probe } from '@media-jobs/video/probe';
import { anEncoder, silentRecording } from '@media-jobs/video/testing';
import { expect, it } from 'vitest';
import { aRangeProxyToFiles } from '../../builders/storage/a-range-proxy.ts';

/** Probes a file that is read by ranges, as a large source is. */
async function probeByRanges(path: string): Promise<Probe> {
  const proxy = await aRangeProxyToFiles({ source: path });
  const { size: sizeBytes } = await stat(path);
  const readAt = (offset: number, length: number) => proxy.readAt('source', offset, length);
  return anEncoder().probe(proxy.urlOf('source'), { remote: { readAt, sizeBytes } });
}

it.each(['silent.mkv', 'silent.mp4'] as const)('an empty audio track is found by ranges: %s', async (name) => {
  const { streams } = await probeByRanges(await silentRecording(name));
  expect(streams[1]).toMatchObject({ kind: 'audio', isEmpty: true });
});
