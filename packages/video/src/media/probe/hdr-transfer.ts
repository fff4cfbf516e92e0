import * as z from 'zod';
import type { HdrMetadata, VideoStream } from './probe.ts';

/** The HDR transfer function by ffmpeg's name. */
export function hdrTransferOf(transfer: string | undefined): VideoStream['hdrTransfer'] {
  if (transfer === 'smpte2084') return 'pq';
  return transfer === 'arib-std-b67' ? 'hlg' : undefined;
}

/** The luminance in ffprobe's side data of a stream or a frame, in nits; undefined for 0 and for other text. */
export const luminanceSchema = z.object({
  max_content: z.unknown().optional().transform(readNits),
  max_luminance: z.unknown().optional().transform(readNits),
});

type Luminance = z.output<typeof luminanceSchema>;

/** The first luminance of each kind: frames state theirs before the container does. */
export function hdrMetadataOf(sideData: readonly Luminance[], stated: HdrMetadata = {}): HdrMetadata {
  const content = sideData.find((data) => data.max_content !== undefined)?.max_content;
  const peak = sideData.find((data) => data.max_luminance !== undefined)?.max_luminance;
  return {
    maxContentNits: content ?? stated.maxContentNits,
    masteringPeakNits: peak ?? stated.masteringPeakNits,
  };
}

/** `1000` or the ratio `10000000/10000`. */
function readNits(value: unknown): number | undefined {
  const [numerator = Number.NaN, denominator = 1] = String(value).split('/').map(Number);
  const found = numerator / denominator;
  return Number.isFinite(found) && found > 0 ? found : undefined;
}
