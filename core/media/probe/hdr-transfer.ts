import type { VideoStream } from './probe.ts';

/** The HDR transfer function by ffmpeg's name. */
export function hdrTransferOf(transfer: string | undefined): VideoStream['hdrTransfer'] {
  if (transfer === 'smpte2084') return 'pq';
  return transfer === 'arib-std-b67' ? 'hlg' : undefined;
}
