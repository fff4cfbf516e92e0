/** Features of a source; each defaults to its first value. */
export type ClipFeatures = {
  shape?: 'landscape' | 'portrait' | 'odd';
  colour?: 'sdr' | 'hdr';
  rate?: 'constant' | 'variable';
  /** With `several`, the second track (a higher tone, French) is the default. */
  audio?: 'one' | 'none' | 'several';
  subtitles?: boolean;
  /** Replaces the pattern and tone by black and silence, with a flash and a beep at the same time. */
  marks?: boolean;
};

/** Start and duration of the flash and the beep, in seconds; every frame rate here has a frame at that time. */
export const flashAndBeep = { at: 0.96, seconds: 0.07 } as const;

/** Frequencies of the tracks, in Hz. */
export const toneFrequencies = { first: 440, second: 1760 } as const;

/** ffmpeg arguments for a 2 s pattern with these features. Portrait is encoded as landscape: rotation comes later. */
export function featureArguments({ shape, colour, rate, audio, subtitles, marks }: ClipFeatures): string[] {
  const tracks = {
    none: [],
    one: [toneFrequencies.first],
    several: [toneFrequencies.first, toneFrequencies.second],
  }[audio ?? 'one'];
  const beep = `aevalsrc='0.8*sin(6283*t)*${during}':s=48000:d=2`;
  const pixels = shape === 'odd' ? 'yuv444p' : 'yuv420p';
  const filters = [
    ...(marks ? [`drawbox=t=fill:color=black,drawbox=t=fill:color=white:enable='${during}'`] : []),
    ...(shape === 'odd' ? ['crop=321:181:0:0:exact=1'] : []),
    ...(rate === 'variable' ? [variableRateFilter] : []),
    ...(colour === 'hdr' ? toPq(pixels) : [`format=${pixels}`]),
  ];
  const inputs = [
    ...lavfi(
      `testsrc2=size=${shape === 'odd' ? '322x182' : '320x180'}:rate=${rate === 'variable' ? 50 : 25}:duration=2`,
    ),
    ...tracks.flatMap((hertz) => lavfi(marks ? beep : `sine=frequency=${hertz}:sample_rate=48000:duration=2`)),
    ...(subtitles ? ['-i', `data:text/plain;base64,${subtitleText}`] : []),
  ];
  const streams = 1 + tracks.length + (subtitles ? 1 : 0);
  return [
    ...inputs,
    ...Array.from({ length: streams }, (_, index) => ['-map', String(index)]).flat(),
    ...['-vf', filters.join(',')],
    ...(colour === 'hdr' ? x265 : x264),
    ...(rate === 'variable' ? ['-fps_mode', 'vfr', '-enc_time_base', '1/90000'] : []),
    ...['-c:a', 'aac', '-b:a', '96k', '-c:s', 'mov_text'],
    ...(audio === 'several' ? secondIsDefault : []),
  ];
}

const during = `between(t,${flashAndBeep.at - 0.001},${flashAndBeep.at + flashAndBeep.seconds})`;

// 12.5 fps, then 50 fps in the last half second, with jitter: a guessed constant rate would drop frames.
const variableRateFilter = "select='if(lt(t,1.5),not(mod(n,4)),1)',settb=1/90000,setpts='PTS+mod(N*37,11)*30'";

const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '12'];

const pqTags = 'log-level=error:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc';
const x265 = [...'-c:v libx265 -preset ultrafast -crf 12 -x265-params'.split(' '), pqTags, '-tag:v', 'hvc1'];

const secondIsDefault = [
  ...['-disposition:a:0', '0', '-disposition:a:1', 'default'],
  ...['-metadata:s:a:0', 'language=deu', '-metadata:s:a:1', 'language=fra'],
];

const subtitleText = Buffer.from('1\n00:00:00,200 --> 00:00:01,800\nNobody asked for these.\n').toString('base64');

/** Converts BT.709 to PQ with white at 203 nits, as broadcasters do, so that the expected frame is known. */
function toPq(pixels: string): string[] {
  return [
    'format=yuv444p,setparams=range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709',
    'zscale=t=linear:npl=203,format=gbrpf32le,zscale=p=bt2020',
    `zscale=t=smpte2084:m=bt2020nc:r=tv:npl=203,format=yuv444p10le,format=${pixels}10le`,
  ];
}

function lavfi(graph: string): string[] {
  return ['-f', 'lavfi', '-i', graph];
}
