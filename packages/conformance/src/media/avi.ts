/** A video in an AVI file with uncompressed frames at 10 fps, which needs no encoder. */
export type AviOptions = {
  /** Duration in the header. */
  seconds: number;
  /** Duration of the frames in the file; less than `seconds` for a truncated video. */
  secondsPresent?: number;
};

const width = 64;
const height = 48;
const framesPerSecond = 10;
const frameBytes = width * height * 3;

export function buildAvi({ seconds, secondsPresent = seconds }: AviOptions): Buffer {
  const frameCount = seconds * framesPerSecond;
  const frames = Array.from({ length: secondsPresent * framesPerSecond }, (_, index) => chunk('00db', frame(index)));
  const stream = list('strl', [chunk('strh', streamHeader(frameCount)), chunk('strf', bitmapHeader())]);
  const headers = list('hdrl', [chunk('avih', mainHeader(frameCount)), stream]);
  return named('RIFF', 'AVI ', [headers, list('movi', frames)]);
}

/** BITMAPINFOHEADER: 24 bits per pixel, bottom row first. */
function bitmapHeader(): Buffer {
  const header = Buffer.alloc(40);
  header.writeUInt32LE(40, 0);
  header.writeInt32LE(width, 4);
  header.writeInt32LE(height, 8);
  header.writeUInt16LE(1, 12);
  header.writeUInt16LE(24, 14);
  header.writeUInt32LE(frameBytes, 20);
  return header;
}

function mainHeader(frames: number): Buffer {
  const header = Buffer.alloc(56);
  header.writeUInt32LE(1_000_000 / framesPerSecond, 0);
  header.writeUInt32LE(frames, 16);
  header.writeUInt32LE(1, 24);
  header.writeUInt32LE(frameBytes, 28);
  header.writeUInt32LE(width, 32);
  header.writeUInt32LE(height, 36);
  return header;
}

function streamHeader(frames: number): Buffer {
  const header = Buffer.alloc(56);
  header.write('vids', 0, 'latin1');
  header.writeUInt32LE(1, 20);
  header.writeUInt32LE(framesPerSecond, 24);
  header.writeUInt32LE(frames, 32);
  header.writeUInt32LE(frameBytes, 36);
  header.writeUInt16LE(width, 52);
  header.writeUInt16LE(height, 54);
  return header;
}

/** A moving gradient. */
function frame(index: number): Uint8Array {
  return Uint8Array.from({ length: frameBytes }, (_, at) => (at + index * 9 + (at % 3) * 60) & 0xff);
}

function chunk(id: string, content: Uint8Array): Buffer {
  const head = Buffer.alloc(8);
  head.write(id, 0, 'latin1');
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content]);
}

function list(kind: string, chunks: Buffer[]): Buffer {
  return named('LIST', kind, chunks);
}

function named(id: string, kind: string, chunks: Buffer[]): Buffer {
  return chunk(id, Buffer.concat([Buffer.from(kind, 'latin1'), ...chunks]));
}
