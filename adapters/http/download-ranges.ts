import type { FileHandle } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { HttpFailure } from './http-failure.ts';
import { isTransient, tooLargeError } from './input-error.ts';
import { openRange } from './open-range.ts';
import { readBody } from './read-body.ts';
import type { Source } from './source.ts';
import type { DownloadContext } from './transfer.ts';

/** How often one part of a download is resumed after its connection failed. */
const maxResumes = 5;

/** A stretch of the file that one connection at a time brings: from `position`, which moves, up to `end`. */
export type RangeDownload = {
  position: number;
  end: number | undefined;
  response: IncomingMessage | undefined;
};

/**
 * Writes a part of the file, taking it up again where a connection failed. Throws RangeNotServedError when the server cannot
 * do that, and the failure when it keeps failing.
 */
export async function receiveRange(
  part: RangeDownload,
  source: Source,
  transfer: DownloadContext & { onBytes: (bytes: number) => void },
): Promise<void> {
  const { network, signal } = transfer;
  for (let resumes = 0; ; resumes += 1) {
    try {
      part.response ??= await openRange(source, { start: part.position, end: part.end }, transfer);
      return await writeBody(part, part.response, { ...transfer, host: source.url.host });
    } catch (error) {
      part.response = undefined;
      const isWorthAnother = error instanceof HttpFailure && isTransient(error) && resumes < maxResumes;
      if (signal.aborted || !isWorthAnother) throw error;
      await network.pause(resumes === 0 ? 0 : 125 * 2 ** resumes, signal);
    }
  }
}

type Writing = DownloadContext & { host: string; onBytes: (bytes: number) => void };

async function writeBody(part: RangeDownload, response: IncomingMessage, writing: Writing): Promise<void> {
  const { host, file, signal, request, onBytes } = writing;
  const { idleMs, maxBytes } = request.limits;
  for await (const piece of readBody(response, { host, idleMs, signal })) {
    const wanted = part.end === undefined ? piece : piece.subarray(0, part.end - part.position);
    if (part.position + wanted.length > maxBytes) throw tooLargeError(maxBytes);
    await writeAt(file, wanted, part.position);
    part.position += wanted.length;
    onBytes(wanted.length);
    release(piece);
    if (part.position === part.end) return;
  }
  if (part.end !== undefined && part.position < part.end) {
    throw new HttpFailure('reset', `${host} sent less than it had announced`);
  }
}

/** A write may stop short of what it was given. */
async function writeAt(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, written, bytes.length - written, position + written);
    written += bytesWritten;
  }
}

/**
 * Gives a written piece's memory back at once: V8 would let 64 MiB of them pile up before it looks. Only a piece that
 * is all of its buffer is safe to take away; no other one can lie in there.
 */
function release(piece: Buffer): void {
  const { buffer } = piece;
  if (buffer instanceof ArrayBuffer && piece.length === buffer.byteLength) buffer.transfer(0);
}
