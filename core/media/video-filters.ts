import type { VideoStream } from './probe.ts';
import type { Size } from './size.ts';

const transferNames = { pq: 'smpte2084', hlg: 'arib-std-b67' } as const;

export type PictureChange = {
  /** The size to scale to; with `crop` or `pad`, what is cut from or laid on it afterwards. */
  scale: Size;
  crop?: Size;
  pad?: Size;
  framesPerSecond?: number;
};

/**
 * The filter chain that every picture passes: progressive, upright (ffmpeg turns it before the chain), of the
 * planned size, with square pixels, in standard dynamic range.
 */
export function videoFilters(video: VideoStream, change: PictureChange): string[] {
  return [
    ...(video.isInterlaced ? ['bwdif=mode=send_frame:deint=interlaced'] : []),
    ...(change.framesPerSecond ? [`fps=${change.framesPerSecond}`] : []),
    `scale=${change.scale.width}:${change.scale.height}:flags=bicubic`,
    'setsar=1',
    ...(change.crop ? [`crop=${change.crop.width}:${change.crop.height}`] : []),
    ...toneMap(video),
    ...(change.pad ? [`pad=${change.pad.width}:${change.pad.height}:-1:-1:color=black`] : []),
  ];
}

/** The size that comes out of the chain. */
export function finalSize({ scale, crop, pad }: PictureChange): Size {
  return pad ?? crop ?? scale;
}

/** Brings PQ and HLG into BT.709: in 8 bits without it they look grey and flat. */
function toneMap({ hdrTransfer }: VideoStream): string[] {
  if (!hdrTransfer) return [];
  return [
    // zscale refuses odd sizes where colour has half the resolution.
    'format=yuv444p12le',
    // The colours of the source are spelled out, since zscale stops at frames that do not carry them.
    `zscale=tin=${transferNames[hdrTransfer]}:min=bt2020nc:pin=bt2020:rin=tv:t=linear:npl=100`,
    'format=gbrpf32le',
    'zscale=p=bt709',
    'tonemap=tonemap=mobius:desat=0',
    'zscale=t=bt709:m=bt709:r=tv',
    'format=yuv444p',
  ];
}
