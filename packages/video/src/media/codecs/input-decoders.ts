/**
 * The decoders that open inputs, by ffmpeg's names: those of the codecs that cameras, phones, browsers, editing programs
 * and broadcasters write into the accepted containers. ffmpeg has some 500; the others are of games, screen recorders and
 * image formats, are rarely tested, and only widen what a hostile file can reach.
 */
// biome-ignore format: a table
const video = [
  'h264', 'hevc', 'av1', 'libdav1d', 'libaom-av1', 'vp8', 'vp9', 'libvpx', 'libvpx-vp9',
  'mpeg1video', 'mpeg2video', 'mpegvideo', 'mpeg4', 'msmpeg4v1', 'msmpeg4v2', 'msmpeg4',
  'h261', 'h263', 'h263p', 'h263i', 'flv', 'vp6', 'vp6a', 'vp6f', 'theora',
  'wmv1', 'wmv2', 'wmv3', 'vc1', 'mjpeg', 'mjpegb', 'jpeg2000', 'libopenjpeg', 'svq1', 'svq3', 'cinepak', 'qtrle',
  // Of cameras and editing programs.
  'prores', 'dnxhd', 'dvvideo', 'cfhd', 'hap', 'ffv1', 'huffyuv', 'ffvhuff', 'utvideo', 'magicyuv',
  'rawvideo', 'v210', 'v308', 'v408', 'v410', 'r210', 'wrapped_avframe',
  'png', 'apng', 'gif', 'webp', 'tiff', 'bmp',
];

// biome-ignore format: a table
const audio = [
  'aac', 'aac_latm', 'ac3', 'eac3', 'dca', 'truehd', 'mlp', 'opus', 'libopus', 'vorbis', 'libvorbis',
  'mp1float', 'mp1', 'mp2float', 'mp2', 'mp3float', 'mp3', 'flac', 'alac', 'tta', 'wavpack',
  'wmav1', 'wmav2', 'wmapro', 'wmalossless', 'wmavoice', 'amrnb', 'amrwb', 'speex', 'libspeex', 'nellymoser',
  'libopencore_amrnb', 'libopencore_amrwb', 'gsm', 'gsm_ms', 'mace3', 'mace6', 'qdm2', 'qdmc', 's302m', 'dvaudio',
  'adpcm_ms', 'adpcm_ima_wav', 'adpcm_ima_qt', 'adpcm_swf', 'adpcm_yamaha', 'g722', 'g726',
  'pcm_s8', 'pcm_u8', 'pcm_alaw', 'pcm_mulaw', 'pcm_bluray', 'pcm_dvd',
  ...['s16', 's24', 's32', 's64', 'u16', 'u24', 'u32', 'f32', 'f64'].flatMap((format) => [
    `pcm_${format}le`,
    `pcm_${format}be`,
  ]),
  'pcm_s8_planar', 'pcm_s16le_planar', 'pcm_s16be_planar', 'pcm_s24le_planar', 'pcm_s32le_planar',
];

// biome-ignore format: a table
const subtitles = [
  'ass', 'ssa', 'srt', 'subrip', 'webvtt', 'mov_text', 'text', 'cc_dec',
  'dvbsub', 'dvdsub', 'pgssub', 'xsub', 'libzvbi_teletextdec', 'libaribcaption', 'libaribb24',
];

/** For files with video, audio or images. ffprobe opens the decoder of every stream, so subtitles belong to them. */
export const mediaDecoders: readonly string[] = [...video, ...audio, ...subtitles];

/** For a subtitle file. */
export const subtitleDecoders: readonly string[] = ['srt', 'subrip', 'webvtt', 'ass', 'ssa'];

/** The codecs, by ffprobe's names, of decoders that have another name. */
const codecOfDecoder: Readonly<Record<string, string>> = {
  libdav1d: 'av1',
  'libaom-av1': 'av1',
  libvpx: 'vp8',
  'libvpx-vp9': 'vp9',
  mpegvideo: 'mpeg2video',
  msmpeg4: 'msmpeg4v3',
  flv: 'flv1',
  libopenjpeg: 'jpeg2000',
  dca: 'dts',
  libopus: 'opus',
  libvorbis: 'vorbis',
  mp1float: 'mp1',
  mp2float: 'mp2',
  mp3float: 'mp3',
  amrnb: 'amr_nb',
  amrwb: 'amr_wb',
  libspeex: 'speex',
  libopencore_amrnb: 'amr_nb',
  libopencore_amrwb: 'amr_wb',
  g722: 'adpcm_g722',
  g726: 'adpcm_g726',
  ssa: 'ass',
  srt: 'subrip',
  cc_dec: 'eia_608',
  dvbsub: 'dvb_subtitle',
  dvdsub: 'dvd_subtitle',
  pgssub: 'hdmv_pgs_subtitle',
  libzvbi_teletextdec: 'dvb_teletext',
  libaribcaption: 'arib_caption',
  libaribb24: 'arib_caption',
};

/** The codecs, by ffprobe's names, that an allowed decoder has. */
export const decodableCodecs: ReadonlySet<string> = new Set([...mediaDecoders, ...Object.values(codecOfDecoder)]);
