import { audioCodecArguments, limitDownmix } from '../../media/codecs/audio-codecs.ts';
import type { Command } from '../../media/ffmpeg/command.ts';
import type { VideoFormat } from '../../media/formats.ts';
import type { FrameRate } from '../../media/frame-rate.ts';
import { mainAudio } from '../../media/probe/streams.ts';
import { audioChain } from '../audio/map-audio.ts';
import { uniformAudio } from '../audio/uniform-audio.ts';
import type { ConcatClip } from './concat-video.ts';

const samplesPerSecond = 48_000;
const stereo = 'aformat=sample_fmts=fltp:channel_layouts=stereo';

/** Whether any input has audio. If none has, the result has none. */
export function hasAudio(clips: readonly ConcatClip[]): boolean {
  return clips.some(({ file }) => mainAudio(file.probe) !== undefined);
}

/** Gives each clip whose audio format changes a uniform copy of its track. `commands` make the copies. */
export function withUniformAudio(
  clips: readonly ConcatClip[],
  outputDirectory: string,
): { clips: ConcatClip[]; commands: Command[] } {
  const commands: Command[] = [];
  const uniform = clips.map((clip, index): ConcatClip => {
    const audio = mainAudio(clip.file.probe);
    if (audio === undefined || !clip.changesAudioFormat) return clip;
    const name = `uniform-audio-${index + 1}`;
    const { command, audioSource } = uniformAudio({ inputPath: clip.file.path, outputDirectory }, [audio], {
      name,
    });
    commands.push(command);
    return { ...clip, audioSource };
  });
  return { clips: uniform, commands };
}

/** A filter graph that joins the audio of all clips into `[audio]`. The first clip is the second input of ffmpeg. */
export function joinAudioGraph(clips: readonly ConcatClip[], { fps }: FrameRate): string {
  let framesBefore = 0;
  const chains = clips.map((clip, index) => {
    const samplesAt = (frame: number) => Math.round((frame / fps) * samplesPerSecond);
    const samples = samplesAt(framesBefore + clip.frames) - samplesAt(framesBefore);
    framesBefore += clip.frames;
    return `${clipAudio(clip, { input: index + 1, samples })}[audio${index}]`;
  });
  const labels = clips.map((_, index) => `[audio${index}]`).join('');
  return [...chains, `${labels}concat=n=${clips.length}:v=0:a=1[audio]`].join(';');
}

export function joinedAudioArguments(format: VideoFormat, bitrateKbps: number): string[] {
  return ['-map', '[audio]', ...audioCodecArguments({ channels: 2 }, { format, bitrateKbps })];
}

/** The audio of one clip, cut or padded with silence to the exact length of its video. */
function clipAudio(
  { file, startSeconds, audioSource }: ConcatClip,
  { input, samples }: { input: number; samples: number },
): string {
  const audio = mainAudio(file.probe);
  const length = `atrim=end_sample=${samples}`;
  if (audio === undefined) return `anullsrc=r=${samplesPerSecond}:cl=stereo,${stereo},${length}`;
  return audioChain(audioSource ? { index: 0 } : audio, input, [
    `atrim=start=${startSeconds}`,
    `asetpts=PTS-${startSeconds}/TB`,
    // Fills gaps with silence, so that what follows stays in sync.
    `aresample=${samplesPerSecond}:async=1:first_pts=0:min_hard_comp=0.02`,
    ...[stereo, ...limitDownmix(audio, { format: 'mp4' }), `apad=whole_len=${samples}`, length],
  ]);
}
