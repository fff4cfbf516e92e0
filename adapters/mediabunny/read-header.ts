import { assumedProbe, type Probe } from '@media-jobs/video/probe';
import {
  ADTS,
  CustomSource,
  FLAC,
  Input,
  type InputVideoTrack,
  MATROSKA,
  MP3,
  MP4,
  MPEG_TS,
  OGG,
  QTFF,
  WAVE,
  WEBM,
} from 'mediabunny';

/** All that is one file: a playlist leads to others. */
const formats = [MP4, QTFF, MATROSKA, WEBM, MPEG_TS, MP3, WAVE, OGG, ADTS, FLAC];

/** Bytes and time of one header: the index of a film of hours has some 10 MB. Sources may lie about their sizes. */
const maxBytes = 32 * 2 ** 20;
const maxMs = 20_000;

/** Packets whose times tell the frame rate. */
const ratePackets = 60;

/** A file with more has a video that mediabunny does not know. Below are 96 kHz in 24 bits. */
const maxAudioBitsPerSecond = 5_000_000;

/** ffprobe's names of the codecs that mediabunny calls otherwise. */
const codecNames: Readonly<Record<string, string>> = { avc: 'h264' };

/**
 * Reads what an estimate needs of a file by ranges: duration, frame size, rate and codec.
 *
 * @returns undefined for a file that is no media, damaged, or in another format than those of mediabunny
 */
export async function readHeader({
  sizeBytes,
  read,
}: {
  sizeBytes: number;
  read: (start: number, end: number) => Promise<Uint8Array>;
}): Promise<Probe | undefined> {
  let bytes = 0;
  const timeout = AbortSignal.timeout(maxMs);
  const source = new CustomSource({
    getSize: () => sizeBytes,
    read: async (start, end) => {
      timeout.throwIfAborted();
      bytes += end - start;
      if (bytes > maxBytes) throw new RangeError('The header is too large');
      return read(start, end);
    },
    prefetchProfile: 'network',
    handleUnhandledError: () => undefined,
  });
  const input = new Input({ source, formats });
  try {
    const video = await input.getPrimaryVideoTrack();
    const audio = await input.getPrimaryAudioTrack();
    const end = (await input.getDurationFromMetadata()) ?? (await input.computeDuration());
    const durationSeconds = end - Math.max(0, await input.getFirstTimestamp());
    const isEmpty = !(durationSeconds > 0) || (video === null && audio === null);
    if (isEmpty || (video === null && (8 * sizeBytes) / durationSeconds > maxAudioBitsPerSecond)) return undefined;
    const frame = video === null ? { width: 2, height: 2 } : await describe(video);
    const probe = assumedProbe({ ...frame, durationSeconds, sizeBytes });
    const streams = probe.streams.filter(({ kind }) => (kind === 'video' ? video !== null : audio !== null));
    return { ...probe, streams };
  } catch {
    return undefined;
  } finally {
    input.dispose();
  }
}

async function describe(video: InputVideoTrack) {
  const codec = await video.getCodec();
  const { averagePacketRate } = await video.computePacketStats(ratePackets);
  return {
    width: await video.getDisplayWidth(),
    height: await video.getDisplayHeight(),
    framesPerSecond: averagePacketRate > 0 ? averagePacketRate : undefined,
    codec: codec === null ? undefined : (codecNames[codec] ?? codec),
    hdr: await video.hasHighDynamicRange(),
  };
}
