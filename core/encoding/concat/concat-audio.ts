import { audioCodecArguments, limitDownmix } from '../../media/codecs/audio-codecs.ts';
import type { Command } from '../../media/ffmpeg/command.ts';
import type { VideoFormat } from '../../media/formats.ts';
import type { FrameRate } from '../../media/frame-rate.ts';
import { mainAudio } from '../../media/probe/streams.ts';
import { uniformAudio } from '../audio/uniform-audio.ts';
import type { ConcatClip } from './concat-video.ts';

const samplesPerSecond = 48_000;
const stereo = 'aformat=sample_fmts=fltp:channel_layouts=stereo';

/** Whether any of the inputs has sound; where none has, neither has the joined video. */
export function hasAudio(pieces: readonly ConcatClip[]): boolean {
  return pieces.some(({ file }) => mainAudio(file.probe) !== undefined);
}

/** The pieces with an even copy of each sound that changes on the way, and the commands that make those. */
export function withUniformAudio(
  pieces: readonly ConcatClip[],
  outputDirectory: string,
): { pieces: ConcatClip[]; commands: Command[] } {
  const commands: Command[] = [];
  const even = pieces.map((piece, index): ConcatClip => {
    const audio = mainAudio(piece.file.probe);
    if (audio === undefined || !piece.changesAudioFormat) return piece;
    const name = `uniform-audio-${index + 1}`;
    const { command, audioSource } = uniformAudio({ inputPath: piece.file.path, outputDirectory }, audio, {
      name,
    });
    commands.push(command);
    return { ...piece, audioSource };
  });
  return { pieces: even, commands };
}

/** A filter graph that joins the sound of the inputs, of which the first is ffmpeg's second one, into `[sound]`. */
export function joinAudioGraph(pieces: readonly ConcatClip[], { fps }: FrameRate): string {
  let framesBefore = 0;
  const chains = pieces.map((piece, index) => {
    const samplesAt = (frame: number) => Math.round((frame / fps) * samplesPerSecond);
    const samples = samplesAt(framesBefore + piece.frames) - samplesAt(framesBefore);
    framesBefore += piece.frames;
    return `${soundOf(piece, { input: index + 1, samples })}[sound${index}]`;
  });
  const labels = pieces.map((_, index) => `[sound${index}]`).join('');
  return [...chains, `${labels}concat=n=${pieces.length}:v=0:a=1[sound]`].join(';');
}

/** Arguments that map and encode it. */
export function joinedAudioArguments(format: VideoFormat, bitrateKbps: number): string[] {
  return ['-map', '[sound]', ...audioCodecArguments({ channels: 2 }, { format, bitrateKbps })];
}

/** The sound of one input exactly as long as its picture: cut, or filled up with silence, at both ends. */
function soundOf(
  { file, startSeconds, audioSource }: ConcatClip,
  { input, samples }: { input: number; samples: number },
): string {
  const audio = mainAudio(file.probe);
  const length = `atrim=end_sample=${samples}`;
  if (audio === undefined) return `anullsrc=r=${samplesPerSecond}:cl=stereo,${stereo},${length}`;
  return [
    `[${input}:${audioSource ? 0 : audio.index}]atrim=start=${startSeconds}`,
    `asetpts=PTS-${startSeconds}/TB`,
    // Where samples are missing there is silence, so that what follows stays in its place.
    `aresample=${samplesPerSecond}:async=1:first_pts=0:min_hard_comp=0.02`,
    ...[stereo, ...limitDownmix(audio, 'mp4'), `apad=whole_len=${samples}`, length],
  ].join(',');
}
