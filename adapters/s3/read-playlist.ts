import { AppError } from '../../core/errors.ts';

/** A DASH manifest lists every segment of every rendition: 5 MB for four hours of the shortest segments. */
const maxBytes = 8 * 1024 * 1024;

/**
 * Reads the body of a playlist as text.
 * @throws AppError `PAYLOAD_TOO_LARGE` above 8 MiB, or the error of the body
 */
export async function readPlaylist(body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw playlistTooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function playlistTooLarge(): AppError {
  return new AppError(
    'PAYLOAD_TOO_LARGE',
    'This playlist is larger than 8 MiB; choose longer segments, or serve copies of the files.',
  );
}
