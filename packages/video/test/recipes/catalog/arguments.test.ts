import { describe, expect, it } from 'vitest';
import { anAudioStream, anImageProbe, aProbe, aVideoStream } from '../../builders/media/a-probe.ts';
import { commandLines, plan } from '../../builders/recipes/plan.ts';

// The options of every video: its own frame times, only the mapped streams, an MP4 index at the front.
const times = '-fps_mode:v vfr -enc_time_base:v demux';
const only = '-sn -dn -map_metadata -1 -map_chapters -1';
const inMp4 = `${only} -movflags +faststart -f mp4 /out/output.mp4`;
const x264 = (crf: number, preset = 'medium') => `-c:v libx264 -preset ${preset} -crf ${crf} -pix_fmt yuv420p`;
const audio = '-map 0:1 -af aresample=async=1:min_hard_comp=0.02';
const aac = (kbps: number) => `${audio} -c:a aac -ac 2 -b:a ${kbps}k`;
// One filter graph, even if the frame size changes.
const inFocus =
  "metadata=select:lavfi.blur:0:function=expr:expr='st(0,if(isnan(VALUE1),1000,max(VALUE1,5)));st(1,if(ld(2),min(ld(0),ld(1)),ld(0)));st(2,1);lte(ld(0),1.25*ld(1))'";
const anySize = '-reinit_filter:v 0';
// In full, for a source that declares nothing.
const tags = 'setparams=range=tv:color_primaries=bt709:color_trc=bt709:colorspace=smpte170m';
// Chroma samples at the left, as of most video.
const atLeft = 'in_h_chr_pos=0:out_h_chr_pos=0';
const filters = (scale: string, more = '') =>
  `-map 0:0 -vf scale=${scale}:flags=bicubic:${atLeft},setsar=1${more},${tags}`;

describe('the arguments of a recipe', () => {
  it.each([
    [{ name: 'compress' }, 'mp4', `-i /in ${filters('320:180')} ${x264(28)} ${times} ${aac(128)} ${inMp4}`],
    [
      { name: 'compress', crf: 23, preset: 'slow', maxWidth: 160, audioBitrate: 96 },
      'mkv',
      `-i /in ${filters('160:90')} ${x264(23, 'slow')} ${times} ${aac(96)} ${only} -f matroska /out/output.mkv`,
    ],
    [
      { name: 'compress', maxWidth: 4000, maxHeight: 90 },
      'mp4',
      `-i /in ${filters('160:90')} ${x264(28)} ${times} ${aac(128)} ${inMp4}`,
    ],
    [
      { name: 'transcode' },
      'webm',
      `-i /in ${filters('320:180')} -c:v libvpx-vp9 -row-mt 1 -deadline good -cpu-used 5 -crf 30 -b:v 0 -pix_fmt yuv420p ${times} ${audio} -c:a libopus -ac 2 -b:a 128k ${only} -f webm /out/output.webm`,
    ],
    [
      { name: 'transcode', codec: 'h265', bitrate: 800 },
      'mov',
      `-i /in ${filters('320:180')} -c:v libx265 -preset fast -tag:v hvc1 -a53cc 1 -x265-params info=0 -b:v 800k -maxrate:v 1200k -bufsize:v 2400k -pix_fmt yuv420p10le ${times} ${aac(128)} ${only} -movflags +faststart -f mov /out/output.mov`,
    ],
    [
      { name: 'transcode', codec: 'h265', crf: 30 },
      'mkv',
      `-i /in ${filters('320:180')} -c:v libx265 -preset fast -a53cc 1 -x265-params info=0 -crf 30 -pix_fmt yuv420p10le ${times} ${aac(128)} ${only} -f matroska /out/output.mkv`,
    ],
    [
      { name: 'transcode', codec: 'av1', fps: 30 },
      'mp4',
      `${anySize} -i /in -map 0:0 -vf fps=30000/1000,scale=320:180:flags=bicubic:${atLeft},setsar=1,${tags} -c:v libsvtav1 -preset 8 -crf 37 -pix_fmt yuv420p10le -fps_mode:v vfr ${aac(128)} ${inMp4}`,
    ],
    [{ name: 'resize', width: 640 }, 'mp4', `-i /in ${filters('640:360')} ${x264(26)} ${times} ${aac(160)} ${inMp4}`],
    [
      { name: 'resize', width: 100, height: 100, fit: 'cover' },
      'mp4',
      `-i /in ${filters('178:100', ',crop=100:100')} ${x264(26)} ${times} ${aac(160)} ${inMp4}`,
    ],
    [
      { name: 'resize', width: 100, height: 100, fit: 'pad' },
      'mp4',
      `-i /in ${filters('100:56', ',pad=100:100:-1:-1:color=black')} ${x264(26)} ${times} ${aac(160)} ${inMp4}`,
    ],
    [
      { name: 'clip', start: 0.5, end: 1.25 },
      'mp4',
      `-ss 0.500 -i /in ${filters('320:180')} ${x264(26)} ${times} ${aac(160)} -t 0.750 ${inMp4}`,
    ],
    [
      { name: 'thumbnail' },
      'jpg',
      `${anySize} -noaccurate_seek -ss 0.200 -t 1.600 -i /in -map 0:0 -vf fps=15.000:start_time=0.000,scale=320:180:flags=bicubic,setsar=1,setparams=color_primaries=bt709:color_trc=iec61966-2-1,blurdetect,${inFocus},reverse,${inFocus},thumbnail=n=24 -frames:v 1 -update 1 -an -c:v mjpeg -q:v 3 -pix_fmt yuvj420p ${only} -f image2 /out/output.jpg`,
    ],
    [
      { name: 'thumbnail', at: 1, width: 101 },
      'png',
      `${anySize} -noaccurate_seek -ss 1.000 -i /in -map 0:0 -vf tpad=stop=-1:stop_mode=clone,fps=25.000:start_time=0.000,scale=101:57:flags=bicubic,setsar=1,setparams=color_primaries=bt709:color_trc=iec61966-2-1 -frames:v 1 -update 1 -an -c:v png ${only} -f image2 /out/output.png`,
    ],
    [
      { name: 'extract-audio' },
      'mp3',
      `-i /in ${audio} -c:a libmp3lame -ac 2 -b:a 160k -vn ${only} -f mp3 /out/output.mp3`,
    ],
    [
      { name: 'extract-audio', bitrate: 96 },
      'm4a',
      `-i /in ${audio} -c:a aac -ac 2 -b:a 96k -vn ${only} -movflags +faststart -f ipod /out/output.m4a`,
    ],
    [
      { name: 'extract-audio' },
      'opus',
      `-i /in ${audio},asetpts=PTS-STARTPTS -c:a libopus -ac 2 -b:a 160k -vn ${only} -f opus /out/output.opus`,
    ],
    [
      { name: 'extract-audio' },
      'flac',
      `-i /in ${audio} -c:a flac -sample_fmt s16 -vn ${only} -f flac /out/output.flac`,
    ],
    [{ name: 'extract-audio' }, 'wav', `-i /in ${audio} -c:a pcm_s16le -rf64 auto -vn ${only} -f wav /out/output.wav`],
  ] as const)('are as expected: %o in %s', (recipe, format, line) => {
    expect(commandLines(plan(recipe, format))).toEqual([line]);
  });

  it('seek once for each exact thumbnail', () => {
    const video = aProbe([aVideoStream({ durationSeconds: 3600 })], { durationSeconds: 3600 });
    const recipe = { name: 'thumbnails', every: 900, width: 160, accuracy: 'frame' } as const;
    const { commands, outputs } = plan(recipe, 'jpg', video);
    expect(commands.map(({ inputs }) => inputs[0]?.options?.join(' '))).toEqual([
      `${anySize} -noaccurate_seek`,
      `${anySize} -noaccurate_seek -ss 900.000`,
      `${anySize} -noaccurate_seek -ss 1800.000`,
      `${anySize} -noaccurate_seek -ss 2700.000`,
    ]);
    expect(outputs.map(({ name, filename }) => [name, filename]).at(-1)).toEqual([
      'thumbnail-004',
      'thumbnail-004.jpg',
    ]);
  });

  it('seek early in a broadcast and cut exactly afterwards', () => {
    const broadcast = aProbe([aVideoStream({ durationSeconds: 600 })], { container: 'mpegts', durationSeconds: 600 });
    const [clip] = commandLines(plan({ name: 'clip', start: 100, end: 101 }, 'mp4', broadcast));
    expect(clip).toContain('-ss 70.000 -i /in ');
    expect(clip).toContain(' -ss 30.000 -t 1.000 ');
    const [frame] = commandLines(plan({ name: 'thumbnail', at: 100 }, 'jpg', broadcast));
    expect(frame).toContain('-noaccurate_seek -ss 70.000 -i /in ');
    expect(frame).toContain('fps=25.000:start_time=30.000');
    const [best] = commandLines(plan({ name: 'thumbnail' }, 'jpg', broadcast));
    expect(best).toContain('-ss 30.000 -t 50.000 -i /in -map 0:0 -vf fps=1.200:start_time=30.000,');
  });

  it('are empty for probe, whose file is the probe itself', () => {
    const { commands, outputs } = plan({ name: 'probe' }, 'json');
    expect(commands).toEqual([]);
    expect(JSON.parse(outputs[0]?.content ?? '')).toEqual(aProbe());
  });
});

describe('the arguments for an input', () => {
  const line = (probe: Parameters<typeof plan>[2], format: 'mp4' | 'webm' = 'mp4') =>
    commandLines(plan({ name: 'transcode' }, format, probe))[0];

  it('in HDR convert it to SDR, whatever its frames declare', () => {
    expect(line(aProbe([aVideoStream({ bitDepth: 10, hdrTransfer: 'hlg' })]))).toContain(
      'setsar=1,format=yuv444p12le,setparams=range=tv:color_primaries=bt2020:color_trc=arib-std-b67:colorspace=bt2020nc,' +
        'zscale=t=linear:npl=203,format=gbrpf32le,zscale=p=bt709,tonemap=tonemap=mobius:param=0.38:desat=0:peak=4.926,zscale=t=bt709:m=bt709:r=tv:dither=error_diffusion,format=yuv444p,sidedata=mode=delete,' +
        `scale=flags=bicubic:${atLeft},setparams=range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709[out] `,
    );
  });

  it('that is interlaced deinterlace it first', () => {
    expect(line(aProbe([aVideoStream({ isInterlaced: true })]))).toContain(
      '-vf bwdif=mode=send_field:deint=interlaced,scale',
    );
  });

  it('of an odd size round it to an even one', () => {
    expect(line(aProbe([aVideoStream({ width: 321, height: 181 })]))).toContain('scale=322:182:');
  });

  it('with several tracks use the video that is not a cover, and the default audio with its language', () => {
    const probe = aProbe([
      aVideoStream({ index: 0, isAttachedPicture: true }),
      aVideoStream({ index: 1 }),
      anAudioStream({ index: 2, isDefault: false, language: 'deu' }),
      anAudioStream({ index: 3, language: 'fra' }),
    ]);
    expect(line(probe)).toContain('-map 0:1 ');
    expect(line(probe)).toContain(
      '-map 0:3 -af aresample=async=1:min_hard_comp=0.02 -c:a aac -ac 2 -b:a 128k -metadata:s:a:0 language=fra',
    );
  });

  it('without audio map no audio', () => expect(line(aProbe([aVideoStream()]))).not.toContain('-c:a'));

  it('keep mono, downmix surround to stereo, and stay within the bit rates of libopus', () => {
    const opus = (channels: number) =>
      commandLines(plan({ name: 'extract-audio', bitrate: 320 }, 'opus', aProbe([anAudioStream({ channels })])))[0];
    expect(opus(1)).toContain('-ac 1 -b:a 256k');
    expect(opus(6)).toContain('-ac 2 -b:a 320k');
  });

  it('that is a still image read it without a seek', () => {
    expect(commandLines(plan({ name: 'thumbnail', at: 7 }, 'webp', anImageProbe()))).toEqual([
      `-i /in -map 0:0 -vf scale=320:180:flags=bicubic,setsar=1 -frames:v 1 -update 1 -an -c:v libwebp -quality 85 ${only} -f image2 /out/output.webp`,
    ]);
  });
});
