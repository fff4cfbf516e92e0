/** VMAF needs an ffmpeg with this filter. */
export const vmafFilter = 'libvmaf';

type VmafInputs = {
  /** Stream specifiers of the two videos, such as `0:0`. */
  encoded: string;
  source: string;
  /** The filters between source and encoder, so that size and colors are the same. */
  filters: readonly string[];
};

/**
 * A filter graph that scores an encoded video against its source by VMAF (model vmaf_v0.6.1). It compares frames by
 * number, since containers round timestamps.
 */
export function vmafGraph({ encoded, source, filters }: VmafInputs): string {
  const byFrameNumber = 'format=yuv420p,setpts=N/(25*TB)';
  return [
    `[${encoded}]${byFrameNumber}[encoded]`,
    `[${source}]${[...filters, byFrameNumber].join(',')}[source]`,
    `[encoded][source]${vmafFilter}=n_threads=4:ts_sync_mode=nearest`,
  ].join(';');
}

/**
 * Reads the score, 0 to 100, from ffmpeg's log.
 * @throws Error if the log has no score
 */
export function readVmaf(log: string): number {
  const score = Number(log.match(/VMAF score: ([\d.]+)/)?.[1]);
  if (Number.isFinite(score)) return score;
  throw new Error('The log of ffmpeg has no VMAF score');
}
