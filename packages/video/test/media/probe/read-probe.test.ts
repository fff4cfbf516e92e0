import { describe, expect, it } from 'vitest';
import { readProbe, withOversizedDimensions } from '../../../src/media/probe/read-probe.ts';
import { withWebpAnimation } from '../../../src/media/probe/read-webp.ts';
import { mayBeAnimatedWebp } from '../../../src/media/probe/streams.ts';
import { anImageProbe, aProbe, aVideoStream } from '../../builders/media/a-probe.ts';

const video = { index: 0, codec_type: 'video', codec_name: 'h264', width: 1920, height: 1080 };
const audio = { index: 1, codec_type: 'audio', codec_name: 'aac', channels: 2, sample_rate: '48000' };
const mp4 = { format_name: 'mov,mp4,m4a,3gp,3g2,mj2', size: '1000', duration: '2.5', start_time: '0.000000' };

/** As ffprobe 7.1.5 prints it for an MP4 of 720x576 with a clean aperture of 704x576. */
const crop = { crop_top: 0, crop_bottom: 0, crop_left: 8, crop_right: 8 };

/** The output of ffprobe for one stream with these differences from a usual one, in a file that starts with its audio. */
function readStream(
  differences: object,
  format: { format_name: string; start_time?: string; duration?: string; tags?: object } = mp4,
) {
  const first = { ...audio, start_time: format.start_time };
  return readProbe(JSON.stringify({ format, streams: [{ ...video, ...differences }, first] })).streams[0];
}

describe('readProbe', () => {
  it('reads container, size, duration and streams', () => {
    expect(readProbe(JSON.stringify({ format: mp4, streams: [video, audio] }))).toMatchObject({
      container: 'mov,mp4,m4a,3gp,3g2,mj2',
      sizeBytes: 1000,
      durationSeconds: 2.5,
      streams: [
        { kind: 'video', index: 0, codec: 'h264', width: 1920, height: 1080 },
        { kind: 'audio', index: 1, codec: 'aac', channels: 2, sampleRateHz: 48_000 },
      ],
    });
  });

  it.each([
    [
      { bit_rate: '96000', nb_frames: '50', profile: 'High' },
      mp4,
      { bitsPerSecond: 96_000, packets: 50, profile: 'High' },
    ],
    [
      { tags: { BPS: '96000', NUMBER_OF_FRAMES: '50' } },
      { format_name: 'matroska,webm' },
      { bitsPerSecond: 96_000, packets: 50 },
    ],
    // A parser of MPEG-TS has the rate of the first packet.
    [
      { bit_rate: '96000', profile: 'unknown' },
      { format_name: 'mpegts' },
      { bitsPerSecond: undefined, profile: undefined },
    ],
    [
      { codec_type: 'audio', codec_name: 'ac3', bit_rate: '96000' },
      { format_name: 'mpegts' },
      { bitsPerSecond: 96_000 },
    ],
    [{ codec_type: 'audio', channel_layout: '5.1(side)' }, mp4, { channelLayout: '5.1(side)' }],
    [{ color_range: 'pc', color_space: 'gbr', level: 41 }, mp4, { colorRange: 'full', level: '4.1' }],
    [{ color_range: 'tv' }, mp4, { colorRange: 'limited' }],
  ])('reads what %j states in %j', (stream, format, expected) => {
    expect(readStream(stream, format)).toMatchObject(expected);
  });

  it.each([
    ['horizontally', 180, -1, 1, true],
    ['vertically', 0, 1, -1, true],
    ['not at all, but turned', 180, -1, -1, undefined],
  ])('reads that a video is mirrored: %s', (_, rotation, a, d, isMirrored) => {
    const rows = [`${a * 65_536} 0 0`, `0 ${d * 65_536} 0`, '0 0 1073741824'];
    const displaymatrix = rows.map((row, line) => `\n0000000${line}: ${row}`).join('');
    const differences = { side_data_list: [{ displaymatrix: `${displaymatrix}\n`, rotation }] };
    expect(readStream(differences)).toMatchObject({ rotation, isMirrored });
  });

  it('reads the frame rate of a raw DV file, whose average is that of its clock', () => {
    const differences = { r_frame_rate: '30000/1001', avg_frame_rate: '60000/1' };
    const rate = 30_000 / 1001;
    expect(readStream(differences, { format_name: 'dv', duration: '8' })).toMatchObject({
      framesPerSecond: rate,
      baseFramesPerSecond: rate,
    });
  });

  it('reads forced subtitles', () => {
    const subtitles = { codec_type: 'subtitle', codec_name: 'subrip', tags: { language: 'ger' } };
    const forced = { default: 0, attached_pic: 0, forced: 1 };
    expect(readStream({ ...subtitles, disposition: forced })).toMatchObject({
      kind: 'subtitle',
      codec: 'subrip',
      language: 'ger',
      isDefault: false,
      isForced: true,
    });
    expect(readStream(subtitles)).toMatchObject({ kind: 'subtitle', isForced: false });
  });

  it.each([
    ['an audio description of Matroska', { visual_impaired: 1 }, 'description'],
    ['one of MP4', { visual_impaired: 1, descriptions: 1 }, 'description'],
    ['what a receiver mixes, in MPEG-TS', { visual_impaired: 1, dependent: 1 }, 'receiver-mix'],
    ['clearer speech', { hearing_impaired: 1 }, 'clean-audio'],
    ['the usual track', { default: 1 }, undefined],
  ])('reads for whom an audio track is: %s', (_, disposition, accessibility) => {
    expect(readStream({ ...audio, disposition })).toMatchObject({ accessibility });
  });

  it.each([
    ['a display matrix counts anticlockwise', { side_data_list: [{ rotation: -90 }] }, 90, '1080x1920'],
    ['the other way', { side_data_list: [{ rotation: 90 }] }, 270, '1080x1920'],
    ['upside down', { side_data_list: [{}, { rotation: 180 }] }, 180, '1920x1080'],
    ['the old tag counts clockwise', { tags: { rotate: '90' } }, 90, '1080x1920'],
    ['an angle that players ignore', { side_data_list: [{ rotation: 45 }] }, 0, '1920x1080'],
  ])('rotates the displayed size: %s', (_, stream, rotation, size) => {
    const read = readStream(stream);
    expect(read).toMatchObject({ rotation });
    expect(read?.kind === 'video' && `${read.width}x${read.height}`).toBe(size);
  });

  it('scales the width of non-square pixels', () => {
    expect(readStream({ width: 720, height: 576, sample_aspect_ratio: '16:11' })).toMatchObject({
      width: 1047,
      height: 576,
      pixelAspect: 16 / 11,
    });
  });

  it.each([
    ['as the frames are decoded', {}, 704, 576],
    ['before the pixel aspect', { sample_aspect_ratio: '12:11' }, 768, 576],
    ['before the rotation', { side_data_list: [crop, { rotation: -90 }] }, 576, 704],
  ])('crops the displayed size, %s', (_, differences, width, height) => {
    const stored = { width: 720, height: 576, side_data_list: [crop] };
    expect(readStream({ ...stored, ...differences })).toMatchObject({ width, height });
  });

  it.each([
    ['yuv420p', 8],
    ['yuvj420p', 8],
    ['yuv420p10le', 10],
    ['p010le', 10],
    ['gbrp12be', 12],
    ['rgb48le', 16],
    [undefined, 8],
  ])('reads the bit depth of %s as %i', (pix_fmt, bitDepth) => {
    expect(readStream({ pix_fmt })).toMatchObject({ bitDepth });
  });

  it.each([
    ['smpte2084', 'pq'],
    ['arib-std-b67', 'hlg'],
    ['bt709', undefined],
  ])('reads the transfer %s as %s', (color_transfer, hdrTransfer) => {
    const read = readStream({ color_transfer });
    expect(read?.kind === 'video' && read.hdrTransfer).toBe(hdrTransfer);
  });

  it.each([
    [
      'Dolby Vision without a compatible base layer',
      { side_data_list: [{}, { dv_profile: 5, dv_bl_signal_compatibility_id: 0 }] },
      { dolbyVision: 'incompatible' },
    ],
    [
      "a phone's Dolby Vision",
      { side_data_list: [{ dv_profile: 8, dv_bl_signal_compatibility_id: 4 }] },
      { dolbyVision: 'compatible' },
    ],
    [
      'that of AV1',
      { side_data_list: [{ dv_profile: 10, dv_bl_signal_compatibility_id: 1 }] },
      { dolbyVision: 'compatible' },
    ],
  ])('detects %s', (_, stream, found) => expect(readStream(stream)).toMatchObject(found));

  it.each([
    ['a brightest pixel and a display', 'smpte2084', [{ max_content: 4000 }, { max_luminance: '4000/1' }]],
    ['nothing, in HLG', 'arib-std-b67', [{ max_content: 4000 }]],
  ])('reads the luminance that the container states: %s', (_, color_transfer, side_data_list) => {
    const hdrMetadata = { maxContentNits: 4000, masteringPeakNits: 4000 };
    const expected = color_transfer === 'smpte2084' ? hdrMetadata : undefined;
    expect(readStream({ color_transfer, side_data_list })).toMatchObject({ hdrMetadata: expected });
  });

  it.each([
    ['the still image of an animated AVIF', { codec_name: 'av1' }],
    ['the cover image of a camera, a track of one frame,', { codec_name: 'mjpeg', duration: '0.04' }],
  ])('distinguishes %s from the video', (_, image) => {
    const item = { ...video, ...image, nb_frames: '1', start_time: '0' };
    const track = { ...video, index: 1, nb_frames: '5', duration: '0.833333' };
    const probe = readProbe(JSON.stringify({ format: mp4, streams: [item, track] }));
    expect(probe.streams).toMatchObject([{ isAttachedPicture: true }, { isAttachedPicture: false }]);
  });

  it.each([
    ['DURATION', '00:00:00.040000000'],
    ['NUMBER_OF_FRAMES', '1'],
  ])('distinguishes a cover image that is a track of Matroska from the video: %s', (tag, value) => {
    const cover = { ...video, codec_name: 'mjpeg', avg_frame_rate: '25/1', tags: { [tag]: value } };
    const track = { ...video, index: 1, avg_frame_rate: '25/1', tags: { DURATION: '00:00:04.000000000' } };
    const probe = readProbe(JSON.stringify({ format: { format_name: 'matroska,webm' }, streams: [cover, track] }));
    expect(probe.streams).toMatchObject([{ isAttachedPicture: true }, { isAttachedPicture: false }]);
  });

  it('distinguishes a cover image from a video', () => {
    expect(readStream({ disposition: { default: 0, attached_pic: 1 } })).toMatchObject({ isAttachedPicture: true });
    expect(readStream({ disposition: { default: 1, attached_pic: 0 } })).toMatchObject({ isAttachedPicture: false });
  });

  it('reads the start of a stream relative to the start of the file', () => {
    const broadcast = { ...mp4, start_time: '9.881' };
    expect(readStream({ start_time: '10.381' }, broadcast)?.startSeconds).toBeCloseTo(0.5, 6);
  });

  it.each(['DURATION', 'DURATION-eng'])("reads the duration of a stream from Matroska's tag %s", (tag) => {
    expect(readStream({ tags: { [tag]: '00:01:02.500000000' } })).toMatchObject({ durationSeconds: 62.5 });
  });

  it.each([
    ['ffmpeg, which tags the end', 'Lavf61.1.100', 52.5],
    ['mkvmerge, which tags the duration', "mkvmerge v81.0 ('Milliontown')", 62.5],
  ])('reads the duration of a late stream in Matroska by %s', (_, ENCODER, durationSeconds) => {
    const late = { start_time: '10.000000', tags: { DURATION: '00:01:02.500000000' } };
    const format = { format_name: 'matroska,webm', start_time: '0.000000', tags: { ENCODER } };
    expect(readStream(late, format)).toMatchObject({ startSeconds: 10, durationSeconds });
  });

  it('leaves out values that ffprobe does not know', () => {
    const read = readStream({ duration: 'N/A', avg_frame_rate: '0/0', tags: { language: 'und' } });
    expect(read).toMatchObject({ durationSeconds: undefined, framesPerSecond: undefined, language: undefined });
  });

  it('has neither duration nor frame rate for a still image', () => {
    const still = { format_name: 'image2', size: '10', duration: '0.04' };
    const probe = readProbe(
      JSON.stringify({ format: still, streams: [{ ...video, duration: '0.04', avg_frame_rate: '25/1' }] }),
    );
    expect(probe.durationSeconds).toBeUndefined();
    expect(probe.streams).toMatchObject([{ framesPerSecond: undefined }]);
  });

  it.each(['', '[]', '{"streams":[]}', 'null'])('rejects %j', (answer) => expect(() => readProbe(answer)).toThrow());
});

describe('a video that was too large to open', () => {
  const unopened = aProbe([aVideoStream({ width: 0, height: 0 })]);

  it.each([
    '[png @ 0x1] [error] Picture size 16000x16000 exceeds specified max pixel count 67108864',
    '[png @ 0x1] [error] Picture size 16000x16000 is invalid',
  ])('gets the size from the log: %s', (log) => {
    expect(withOversizedDimensions(unopened, log).streams[0]).toMatchObject({ width: 16_000, height: 16_000 });
  });

  it('stays unknown without a size in the log', () => {
    expect(withOversizedDimensions(unopened, '[error] something else')).toEqual(unopened);
  });
});

describe('a WebP', () => {
  const still = anImageProbe();
  const unread = { ...still, streams: [aVideoStream({ codec: 'webp', width: 0, height: 0 })] };

  it('may be an animation if ffprobe reports no size', () => {
    expect(mayBeAnimatedWebp(unread)).toBe(true);
    expect(mayBeAnimatedWebp({ ...still, streams: [aVideoStream({ codec: 'webp' })] })).toBe(false);
    expect(mayBeAnimatedWebp({ ...still, streams: [aVideoStream({ codec: 'png', width: 0, height: 0 })] })).toBe(false);
    expect(mayBeAnimatedWebp({ ...still, streams: [] })).toBe(false);
  });

  it('gets size, duration and frame rate from its headers', () => {
    const animation = { width: 320, height: 180, frameCount: 24, durationSeconds: 2, loopCount: 0 };
    expect(withWebpAnimation(unread, animation)).toMatchObject({
      durationSeconds: 2,
      streams: [{ codec: 'webp', width: 320, height: 180, durationSeconds: 2, framesPerSecond: 12 }],
    });
  });
});
