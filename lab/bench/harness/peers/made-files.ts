/** What the making of a file states of a stream. */
export type Facts = Record<string, string | number | undefined>;

/** A file to make of two seconds of a picture and a tone: ffmpeg's arguments, and what they state. */
export type MadeFile = { name: string; args: string[]; video?: Facts; audio?: Facts };

/** Encoders by the codec that the file has. */
const videoEncoders: Record<string, string> = {
  h264: '-c:v libx264 -preset ultrafast',
  hevc: '-c:v libx265 -preset ultrafast -x265-params log-level=none',
  av1: '-c:v libsvtav1 -preset 12 -svtav1-params lp=1',
  vp9: '-c:v libvpx-vp9 -deadline realtime -cpu-used 8',
  vp8: '-c:v libvpx -deadline realtime -cpu-used 8',
  mpeg4: '-c:v mpeg4 -b:v 500k',
  mpeg2video: '-c:v mpeg2video -b:v 1M',
  mjpeg: '-c:v mjpeg -pix_fmt yuvj420p -q:v 5',
  prores: '-c:v prores_ks -pix_fmt yuv422p10le',
  ffv1: '-c:v ffv1',
};

const audioEncoders: Record<string, string> = {
  aac: '-c:a aac -b:a 96k',
  ac3: '-c:a ac3 -b:a 192k',
  mp3: '-c:a libmp3lame -b:a 128k',
  mp2: '-c:a mp2 -b:a 192k',
  opus: '-c:a libopus -b:a 64k',
  vorbis: '-c:a libvorbis',
  flac: '-c:a flac',
  pcm_s16le: '-c:a pcm_s16le',
};

/** What each container carries. Those that `states` fields write them. */
const containers: { extension: string; video: string[]; audio: string[]; states: ('frames' | 'language')[] }[] = [
  {
    extension: 'mp4',
    video: ['h264', 'hevc', 'av1', 'mpeg4'],
    audio: ['aac', 'ac3', 'mp3', 'opus'],
    states: ['frames', 'language'],
  },
  {
    extension: 'mov',
    video: ['h264', 'hevc', 'prores', 'mjpeg'],
    audio: ['aac', 'pcm_s16le'],
    states: ['frames', 'language'],
  },
  {
    extension: 'mkv',
    video: Object.keys(videoEncoders),
    audio: ['aac', 'flac', 'opus', 'ac3', 'vorbis', 'mp3'],
    states: ['language'],
  },
  { extension: 'webm', video: ['vp8', 'vp9', 'av1'], audio: ['opus', 'vorbis'], states: ['language'] },
  { extension: 'ts', video: ['h264', 'hevc', 'mpeg2video'], audio: ['aac', 'ac3', 'mp2'], states: ['language'] },
  { extension: 'avi', video: ['mpeg4', 'mjpeg', 'h264'], audio: ['mp3', 'pcm_s16le', 'ac3'], states: [] },
  { extension: 'flv', video: ['h264'], audio: ['aac'], states: [] },
  { extension: 'mpg', video: ['mpeg2video'], audio: ['mp2', 'ac3'], states: [] },
];

const rates = [
  { fraction: '24000/1001', fps: 23.976 },
  { fraction: '25', fps: 25 },
  { fraction: '30000/1001', fps: 29.97 },
  { fraction: '50', fps: 50 },
];

const shapes = [
  { width: 320, height: 180, channels: 2, language: { stored: 'deu', tag: 'de' } },
  { width: 144, height: 256, channels: 1, language: { stored: 'jpn', tag: 'ja' } },
];

const sampleRateHz = 48_000;
const seconds = 2;

/** Every container with every codec at every rate, in two shapes. Audio codecs take turns. */
export function madeFiles(): MadeFile[] {
  return containers.flatMap(({ extension, video, audio, states }) =>
    video.flatMap((codec) =>
      rates.flatMap(({ fraction, fps }, rate) =>
        shapes.map(({ width, height, channels, language }, shape) => {
          const sound = audio[(rate * shapes.length + shape) % audio.length] ?? '';
          const has = (field: 'frames' | 'language') => states.includes(field);
          return {
            name: `${codec}-${sound}-${rate}-${shape}.${extension}`,
            args: [
              ...sources(width, height, fraction),
              ...`${videoEncoders[codec]} ${audioEncoders[sound]} -ac ${channels} -ar ${sampleRateHz}`.split(' '),
              ...(['prores', 'mjpeg'].includes(codec) ? [] : ['-pix_fmt', 'yuv420p']),
              ...['-metadata:s:a:0', `language=${language.stored}`],
            ],
            video: { codec, width, height, fps, ...(has('frames') && { frames: Math.round(seconds * fps) }) },
            audio: { codec: sound, channels, rate: sampleRateHz, ...(has('language') && { language: language.tag }) },
          };
        }),
      ),
    ),
  );
}

/** Arguments of a picture and a tone. */
export function sources(width = 320, height = 180, rate = '25'): string[] {
  const picture = `testsrc2=size=${width}x${height}:rate=${rate}:duration=${seconds}`;
  return ['-f', 'lavfi', '-i', picture, '-f', 'lavfi', '-i', `sine=d=${seconds}:r=${sampleRateHz}`];
}
