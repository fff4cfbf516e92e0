import { readFile, writeFile } from 'node:fs/promises';
import { cachedFile } from './cached-file.ts';
import { generatedFile } from './generated-file.ts';

const source = 'testsrc2=size=320x180:rate=25:duration=20';
const video = ['-f', 'lavfi', '-i', source, '-c:v', 'libx264', '-preset', 'ultrafast', '-g', '50'];

/** Seconds of the clip from which the decoder should make it quieter, by dB. */
export const compression = { fromSeconds: 10, db: 12 };

/** A video with a steady tone in mono AC-3 whose second half asks for dynamic range compression. */
export async function compressedRangeClip(container: 'mkv' | 'mp4'): Promise<string> {
  const tone = await cachedFile({ name: 'compressed.ac3', recipe: compression }, async (path) => {
    // So little bandwidth at this rate leaves padding in each frame.
    const encoder = ['-c:a', 'ac3', '-b:a', '640k', '-cutoff', '2000'];
    const plain = ['-f', 'lavfi', '-i', 'sine=400:sample_rate=48000:duration=20', ...encoder];
    await writeFile(path, compress(await readFile(await generatedFile('plain.ac3', plain))));
  });
  return generatedFile(`compressed.${container}`, ['-i', tone, ...video, '-c:a', 'copy']);
}

const frameBytes = 2560;
const frameSeconds = 1536 / 48_000;
// Of a mono frame as ffmpeg writes it (ATSC A/52, 5.3 and 5.4): headers of 65 bits, blksw and dithflag.
const dynrngeBit = 67;
// A gain of -12 dB (7.7.1.2).
const dynrng = 0b110_00000;
// The bits behind the audio blocks: auxdatae, crcrsv and crc2.
const tailBits = 24;

/** Sets `dynrng` in the first block of frames of the second half; the others repeat it. ffmpeg ignores the checksums. */
function compress(stream: Buffer): Buffer {
  const frames = Array.from({ length: stream.length / frameBytes }, (_, number) => {
    const frame = stream.subarray(number * frameBytes, (number + 1) * frameBytes);
    return number * frameSeconds < compression.fromSeconds ? frame : withGain(frame);
  });
  return Buffer.concat(frames);
}

function withGain(frame: Buffer): Buffer {
  const bits = [...frame].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const audio = bits.slice(dynrngeBit + 1, -tailBits);
  if (bits[dynrngeBit] !== '0' || !audio.endsWith('0'.repeat(8))) {
    throw new Error('Expected an AC-3 frame with padding and without dynrng');
  }
  const gain = `1${dynrng.toString(2)}`;
  const changed = bits.slice(0, dynrngeBit) + gain + audio.slice(0, -8) + bits.slice(-tailBits);
  return Buffer.from(changed.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? []);
}
