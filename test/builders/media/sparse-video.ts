import { readFile } from 'node:fs/promises';
import { generatedFile } from '@media-jobs/video/testing';
import type { ServedFile } from '../http/range-server.ts';

/** Boxes of an MP4 are a size of four bytes, a type of four characters and the content. */
function box(type: string, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  const header = Buffer.alloc(8);
  header.writeUInt32BE(8 + content.length);
  header.write(type, 4, 'latin1');
  return Buffer.concat([header, content]);
}

function uint32s(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, 4 * index);
  return bytes;
}

function long(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
}

type VideoShape = { frames: number; framesPerSecond: number; frameBytes: number; keyframeEvery: number };

/**
 * A valid MP4 of H.264 of any size, with its index behind the frames. Every frame is the same frame of a real video,
 * followed by zeros: only the first bytes of a frame and the index exist, the rest is made when it is read.
 */
export async function aSparseVideo({
  frames,
  framesPerSecond,
  frameBytes,
  keyframeEvery,
}: VideoShape): Promise<ServedFile> {
  const { description, encodedFrame } = await encodeOneFrame();
  const head = box('ftyp', Buffer.from('isom'), uint32s(512), Buffer.from('isomiso2avc1mp41'));
  const dataBytes = frames * frameBytes;
  const data = Buffer.concat([uint32s(1), Buffer.from('mdat'), long(16 + dataBytes)]);
  const firstFrame = head.length + data.length;
  // Length-prefixed NAL units: the frame, then filler data up to the size of the frame.
  const fillerBytes = frameBytes - encodedFrame.length - 4;
  const frameHead = Buffer.concat([encodedFrame, uint32s(fillerBytes), Buffer.from([0x0c])]);
  const movie = movieBox({ frames, framesPerSecond, frameBytes, keyframeEvery, firstFrame, description });
  const sizeBytes = firstFrame + dataBytes + movie.length;

  const byteRun = (start: number, end: number): Buffer => {
    if (start >= firstFrame + dataBytes)
      return movie.subarray(start - firstFrame - dataBytes, end - firstFrame - dataBytes);
    if (start < firstFrame) return Buffer.concat([head, data]).subarray(start, end);
    const inFrame = (start - firstFrame) % frameBytes;
    const bytes = Buffer.alloc(Math.min(end - start, frameBytes - inFrame, 1 << 20));
    if (inFrame < frameHead.length) frameHead.copy(bytes, 0, inFrame);
    return bytes;
  };
  return {
    sizeBytes,
    async *read(start, end) {
      for (let position = start; position < end; ) {
        const bytes = byteRun(position, end);
        position += bytes.length;
        yield bytes;
      }
    },
  };
}

/** The sample description of a small video, and its first encoded frame. */
async function encodeOneFrame(): Promise<{ description: Buffer; encodedFrame: Buffer }> {
  const source = ['-f', 'lavfi', '-i', 'testsrc2=size=1920x1080:rate=25:duration=1', '-frames:v', '1'];
  const path = await generatedFile('one-frame.mp4', [...source, '-c:v', 'libx264', '-pix_fmt', 'yuv420p']);
  const file = await readFile(path);
  const at = (type: string) => file.indexOf(type, 0, 'latin1') - 4;
  const [description, media] = [at('stsd'), at('mdat')];
  return {
    description: file.subarray(description, description + file.readUInt32BE(description)),
    encodedFrame: file.subarray(media + 8, media + file.readUInt32BE(media)),
  };
}

type Index = VideoShape & { firstFrame: number; description: Buffer };

function movieBox({ frames, framesPerSecond, frameBytes, keyframeEvery, firstFrame, description }: Index): Buffer {
  const timescale = framesPerSecond * 512;
  const [ticks, milliseconds] = [frames * 512, Math.round((frames / framesPerSecond) * 1000)];
  const matrix = uint32s(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);
  const keyframes = Array.from({ length: Math.ceil(frames / keyframeEvery) }, (_, index) => 1 + index * keyframeEvery);
  // A chunk of samples is a second, as muxers write them.
  const chunks = Math.ceil(frames / framesPerSecond);
  const offsets = Buffer.concat(
    Array.from({ length: chunks }, (_, chunk) => long(firstFrame + chunk * framesPerSecond * frameBytes)),
  );
  const sizes = Buffer.alloc(4 * frames);
  for (let frame = 0; frame < frames; frame += 1) sizes.writeUInt32BE(frameBytes, 4 * frame);
  const table = box(
    'stbl',
    description,
    box('stts', uint32s(0, 1, frames, 512)),
    box('stss', uint32s(0, keyframes.length, ...keyframes)),
    box('stsc', uint32s(0, 1, 1, framesPerSecond, 1)),
    box('stsz', uint32s(0, 0, frames), sizes),
    box('co64', uint32s(0, chunks), offsets),
  );
  const media = box(
    'mdia',
    box('mdhd', uint32s(0, 0, 0, timescale, ticks, 0x55c40000)),
    box('hdlr', uint32s(0, 0), Buffer.from('vide'), uint32s(0, 0, 0), Buffer.from('v\0')),
    box('minf', box('vmhd', uint32s(1, 0, 0)), box('dinf', box('dref', uint32s(0, 1), box('url ', uint32s(1)))), table),
  );
  const track = box(
    'trak',
    box('tkhd', uint32s(3, 0, 0, 1, 0, milliseconds, 0, 0, 0, 0), matrix, uint32s(1920 << 16, 1080 << 16)),
    media,
  );
  const header = uint32s(0, 0, 0, 1000, milliseconds, 0x10000, 0x1000000, 0, 0);
  return box('moov', box('mvhd', header, matrix, uint32s(0, 0, 0, 0, 0, 0, 2)), track);
}
