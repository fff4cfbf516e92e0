import { describe, expect, it } from 'vitest';
import { readWebpAnimation } from '../../../src/media/probe/read-webp.ts';
import { aCanvas, aFrame, aLoop, aRiff, aRiffChunk, readerOf } from '../../builders/media/webp.ts';

const canvas = aCanvas(320, 180);
const loop = aLoop(3);
const frame = aFrame({ width: 320, height: 180, milliseconds: 83 });
const corner = aFrame({ x: 300, y: 160, width: 20, height: 20, milliseconds: 84 });
const good = aRiff('WEBP', [canvas, loop, frame, corner]);

const read = (bytes: Uint8Array) => readWebpAnimation(readerOf(bytes));

describe('an animated WebP', () => {
  it('has a size, a frame count, a duration and a loop count', async () => {
    expect(await read(good)).toEqual({ width: 320, height: 180, frameCount: 2, durationSeconds: 0.167, loopCount: 3 });
  });

  it('may have chunks of other kinds', async () => {
    const profile = aRiffChunk('ICCP', Buffer.alloc(33));
    const withOthers = aRiff('WEBP', [canvas, profile, loop, frame, aRiffChunk('EXIF', Buffer.alloc(5))]);
    expect(await read(withOthers)).toMatchObject({ frameCount: 1, loopCount: 3 });
  });

  it('is read from its headers without its frames', async () => {
    const large = aRiff('WEBP', [
      canvas,
      loop,
      aFrame({ width: 320, height: 180, milliseconds: 40 }, Buffer.alloc(1e6)),
    ]);
    let bytesRead = 0;
    await readWebpAnimation(async (offset, length) => {
      bytesRead += length;
      return large.subarray(offset, offset + length);
    });
    expect(bytesRead).toBeLessThan(200);
  });
});

describe('no animation is', () => {
  it.each([
    ['an empty file', Buffer.alloc(0)],
    ['a file of one byte', Buffer.from('R')],
    ['another kind of RIFF', aRiff('WAVE', [canvas, loop, frame])],
    ['a still image', aRiff('WEBP', [aRiffChunk('VP8 ', Buffer.alloc(30))])],
    ['an extended image without animation', aRiff('WEBP', [aCanvas(320, 180, 0x10), frame])],
    ['one without frames', aRiff('WEBP', [canvas, loop])],
    ['one that ends with its canvas', aRiff('WEBP', [canvas])],
    ['a truncated file', good.subarray(0, -4)],
    ['one that claims to be larger than it is', aRiff('WEBP', [canvas, loop, frame], 0xffff_ffff)],
    ['one that claims to be smaller', aRiff('WEBP', [canvas, loop, frame], 60)],
    ['one that claims to be nothing', aRiff('WEBP', [canvas, loop, frame], 0)],
    ['a canvas that is too short', aRiff('WEBP', [aRiffChunk('VP8X', Buffer.from([2, 0, 0, 0])), frame])],
    ['a frame that reaches beyond the file', aRiff('WEBP', [canvas, aRiffChunk('ANMF', Buffer.alloc(16), 9999)])],
    ['a frame of the largest size', aRiff('WEBP', [canvas, aRiffChunk('ANMF', Buffer.alloc(16), 0xffff_ffff)])],
    ['a frame that is too short', aRiff('WEBP', [canvas, aRiffChunk('ANMF', Buffer.alloc(15))])],
    ['a frame beside its canvas', aRiff('WEBP', [canvas, aFrame({ x: 302, width: 20, height: 20, milliseconds: 40 })])],
    ['a frame below its canvas', aRiff('WEBP', [canvas, aFrame({ y: 162, width: 20, height: 20, milliseconds: 40 })])],
    ['a loop that is too short', aRiff('WEBP', [canvas, aRiffChunk('ANIM', Buffer.alloc(4)), frame])],
    ['a chunk that starts after the end', aRiff('WEBP', [canvas, frame, Buffer.from('ANMF')])],
  ])('%s', async (_name, bytes) => expect(await read(bytes)).toBeUndefined());

  it('a file with too many chunks, which is abandoned early', async () => {
    const empty = aRiffChunk('XXXX', Buffer.alloc(0));
    const many = aRiff('WEBP', [canvas, frame, Buffer.concat(Array.from({ length: 40_000 }, () => empty))]);
    let reads = 0;
    const found = await readWebpAnimation(async (offset, length) => {
      reads += 1;
      return many.subarray(offset, offset + length);
    });
    expect(found).toBeUndefined();
    expect(reads).toBeLessThan(20_010);
  });
});
