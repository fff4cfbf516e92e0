import { bareFfmpeg } from './bare-ffmpeg.ts';
import { cachedFile } from './cached-file.ts';

/** Syllables of noise in the band of voices, loud and soft by turns. */
const voice =
  "anoisesrc=color=pink:sample_rate=48000:seed=7:duration=24,bandpass=frequency=900:width_type=h:width=1400,volume='(0.2+0.8*pow(sin(9*t),2))*if(lt(mod(t,12),6),3,0.6)':eval=frame";

/** Audio with dynamics that a compressor would take away. */
const sources = {
  /** Crest factor about 16 dB. */
  voice: `${voice},aformat=channel_layouts=stereo`,
  /** The click is 14 dB above the voice. */
  quietVoiceWithClick: `${voice},volume=-30dB,volume='if(between(t,14,14.02),5,1)':eval=frame,aformat=channel_layouts=stereo`,
  monoVoice: voice,
  surroundVoice: `${voice},pan=5.1|FC=c0|FL=0.4*c0|FR=0.4*c0|BL=0.2*c0|BR=0.2*c0`,
  /** A crescendo by 30 dB. */
  music:
    "aevalsrc=exprs='0.3*pow(10,1.5*t/24-1.5)*(sin(1382*t)+sin(1741*t)+sin(2073*t)+0.5*sin(691*t))':sample_rate=44100:duration=24,aformat=channel_layouts=stereo",
  /** Crest factor above 20 dB. */
  drums:
    "aevalsrc=exprs='if(lt(mod(t,12),6),0.36,0.1)*(exp(-40*mod(t,0.5))*sin(380*t)+0.6*exp(-120*mod(t,0.25))*(2*random(0)-1))':sample_rate=48000:duration=24,aformat=channel_layouts=stereo",
  /** Louder than any target, with peaks between its samples. */
  clipped:
    "anoisesrc=color=white:sample_rate=48000:seed=3:duration=20,volume='if(lt(mod(t,10),5),12,4)':eval=frame,alimiter=limit=1:level=0:attack=0.1,aformat=channel_layouts=stereo",
};

export type LoudnessClip = keyof typeof sources;

/** The path of such a clip in lossless samples, made on first use. */
export function loudnessClip(kind: LoudnessClip): Promise<string> {
  const args = ['-f', 'lavfi', '-i', sources[kind], '-c:a', 'pcm_s24le'];
  return cachedFile({ name: `${kind}.wav`, recipe: args }, (path) => bareFfmpeg([...args, path]));
}
