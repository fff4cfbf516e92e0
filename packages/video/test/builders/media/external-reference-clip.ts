import { readFile } from 'node:fs/promises';
import { box } from '../../../src/media/boxes.ts';
import { clipWith } from './clips.ts';

/** A clip whose data reference names another file of the same folder for its samples (QuickTime File Format). */
export async function clipWithExternalReference(filename: string): Promise<Buffer> {
  return withReference(await readFile(await clipWith()), aliasOf(filename));
}

// The boxes that contain a data reference.
const parents = ['moov', 'trak', 'mdia', 'minf', 'dinf'];

function withReference(boxes: Buffer, alias: Uint8Array): Buffer {
  const rebuilt: Uint8Array[] = [];
  for (let at = 0; at < boxes.length; at += boxes.readUInt32BE(at)) {
    const type = boxes.toString('latin1', at + 4, at + 8);
    const body = boxes.subarray(at + 8, at + boxes.readUInt32BE(at));
    if (parents.includes(type)) rebuilt.push(box(type, withReference(body, alias)));
    else if (type === 'dref') rebuilt.push(box(type, Buffer.from([0, 0, 0, 0, 0, 0, 0, 1]), alias));
    else rebuilt.push(box(type, body));
  }
  return Buffer.concat(rebuilt);
}

/** An alias record (Inside Macintosh: Files, 2-19): one level up, one level down, and the path as its only tag. */
function aliasOf(filename: string): Uint8Array {
  const fixed = Buffer.alloc(150);
  fixed.writeUInt16BE(1, 130);
  fixed.writeUInt16BE(1, 132);
  const path = Buffer.from(`:${filename}`);
  const tag = Buffer.alloc(4);
  tag.writeUInt16BE(2, 0);
  tag.writeUInt16BE(path.length, 2);
  const padding = Buffer.alloc(path.length % 2);
  return box('alis', Buffer.alloc(4), fixed, tag, path, padding, Buffer.from([0xff, 0xff, 0, 0]));
}
