import { hdrTransferOf } from '../ffprobe-output.ts';
import { type Probe, plainVideo, type VideoStream } from '../probe.ts';
import { readIccProfile } from '../read-icc.ts';
import type { HeifColors, HeifImage } from './read-heif.ts';

/** The container of a probe of a still image in HEIF. */
export const heifContainer = 'heif';

/**
 * The probe of a HEIF image. Versions of ffprobe differ in what they show of it: tiles, transparency, rotation.
 */
export function heifProbe({ profile, codec, ...heif }: HeifImage, { sizeBytes }: Pick<Probe, 'sizeBytes'>): Probe {
  const { width, height } = heif.crop ?? heif.size;
  const isUpright = heif.rotation % 180 === 0;
  const colorProfile = profile && readIccProfile(profile);
  const video: VideoStream = {
    ...plainVideo,
    codec,
    width: isUpright ? width : height,
    height: isUpright ? height : width,
    pixelFormat: heif.alphaId === undefined ? 'yuv420p' : 'yuva420p',
    // The default of the format, whatever the size.
    colorMatrix: heif.colors?.matrix ?? 'smpte170m',
    isFullRange: heif.colors?.isFullRange || undefined,
    heif,
    ...(profile === undefined && heif.colors && declaredColors(heif.colors)),
    ...(colorProfile && { colorProfile }),
  };
  return { container: heifContainer, sizeBytes, streams: [video] };
}

/** Not of an image with a color profile, which takes precedence. */
function declaredColors({ primaries, transfer }: HeifColors): Partial<VideoStream> {
  return { colorPrimaries: primaries, colorTransfer: transfer ?? 'iec61966-2-1', hdrTransfer: hdrTransferOf(transfer) };
}
