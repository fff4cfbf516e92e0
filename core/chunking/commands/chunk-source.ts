import type { PlanInput } from '../../encoding/plan.ts';
import type { CommandInput } from '../../media/ffmpeg/command.ts';
import type { VideoFormat } from '../../media/formats.ts';

/** What chunks are made of, and the format that they are made for. */
export type ChunkSource = Pick<PlanInput<unknown>, 'probe' | 'format' | 'inputPath'> & {
  /** The source, and a picture that is laid over it, are objects behind a door. */
  isRemote?: boolean;
};

/** What tells an input from where it comes. */
export function remoteInput({
  isRemote = false,
}: Pick<ChunkSource, 'isRemote'>): Pick<CommandInput, 'isRemote'> {
  return isRemote ? { isRemote } : {};
}

/** The container by whose rules parts are encoded: what is streamed is MP4. */
export function chunkFormat({ format }: Pick<ChunkSource, 'format'>): VideoFormat {
  return format === 'm3u8' ? 'mp4' : (format as VideoFormat);
}
