import { expect, it } from 'vitest';
import { findAudioDefect } from '../../../src/chunking/verify/verify-join.ts';
import type { AudioRange } from '../../../src/media/mp4/read-track.ts';
import { someAudioChunks } from '../../builders/chunking/some-audio-chunks.ts';

const [packetSeconds, delaySeconds] = [1024 / 48_000, 1024 / 48_000];
const chunks = someAudioChunks();
const range = (packets: number, differences: Partial<AudioRange> = {}): AudioRange => ({
  packets,
  sizeBytes: 300 * packets,
  startSeconds: -delaySeconds,
  endSeconds: packets * packetSeconds - delaySeconds,
  ...differences,
});
const encoded = [[range(468)], [range(469)], [range(471)]];
const joined = range(468 + 469 + 471);

function defectWith(differences: { chunk?: AudioRange; joined?: AudioRange }): string | undefined {
  const { chunk = range(469) } = differences;
  const measured = encoded.map((ranges, number) => (number === 1 ? [chunk] : ranges));
  return findAudioDefect({ encoded: measured, chunks, joined: differences.joined ?? joined }, { isPackaged: false });
}

it('chunks with their packets, and a join with all of them, have no defect', () => {
  expect(defectWith({})).toBeUndefined();
});

it.each<[string, Parameters<typeof defectWith>[0], RegExp]>([
  ['a chunk lacks a packet', { chunk: range(468) }, /^Chunk 2 of the audio has 468 packets; expected 469$/],
  [
    'a chunk starts with another packet',
    { chunk: range(469, { startSeconds: 0 }) },
    /^Chunk 2 of the audio starts 0\.021 s late$/,
  ],
  ['the join lacks a packet', { joined: range(1407) }, /has 1407 packets; 1408 were encoded$/],
  ['the join ends early', { joined: { ...joined, endSeconds: 29 } }, /^The joined audio ends at 29\.000 s/],
])('it is a defect that %s', (_, differences, defect) => {
  expect(defectWith(differences)).toMatch(defect);
});
