import type { IncomingMessage } from 'node:http';
import type { RangeDownload } from './download-ranges.ts';
import { type ByteRange, openRange } from './open-range.ts';
import type { Source } from './source.ts';
import type { DownloadContext } from './transfer.ts';

/** Below this, further connections cost more than they bring. */
const minBytesForRanges = 16 * 1_024 * 1_024;
const connections = 4;
/** A server that serves one connection after the other shall not hold up the one that is open for long. */
const maxHeadMs = 5_000;

/**
 * The parts that a file arrives in: four at once if it is large and the server gives ranges of it, else the first
 * answer alone. All are open before a byte is read, so a server that refuses one costs nothing but the asking.
 */
export async function openRanges(
  source: Source,
  first: IncomingMessage,
  transfer: DownloadContext,
): Promise<RangeDownload[]> {
  const { totalBytes, announcesRanges, validator } = source;
  const whole: RangeDownload = { position: 0, end: totalBytes, response: first };
  if (totalBytes === undefined || totalBytes < minBytesForRanges) return [whole];
  if (!announcesRanges || validator === undefined) return [whole];

  const partBytes = Math.ceil(totalBytes / connections);
  const ranges = Array.from({ length: connections - 1 }, (_, n) => ({
    start: (n + 1) * partBytes,
    end: Math.min((n + 2) * partBytes, totalBytes),
  }));
  const others = await openAll(ranges, source, transfer);
  return others === undefined ? [whole] : [{ ...whole, end: partBytes }, ...others];
}

/** All of the ranges, or undefined, with none left open, if one of them could not be had. */
async function openAll(
  ranges: ByteRange[],
  source: Source,
  transfer: DownloadContext,
): Promise<RangeDownload[] | undefined> {
  const { request } = transfer;
  const idleMs = Math.min(request.limits.idleMs, maxHeadMs);
  const hasty = { ...transfer, request: { ...request, limits: { ...request.limits, idleMs } } };
  const opened = await Promise.allSettled(
    ranges.map(async ({ start, end }): Promise<RangeDownload> => {
      return { position: start, end, response: await openRange(source, { start, end }, hasty) };
    }),
  );
  const parts = opened.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  if (parts.length === ranges.length) return parts;
  for (const { response } of parts) response?.destroy();
  return undefined;
}
