import { expect, it } from 'vitest';
import { describeFile, fileRecordSchema } from '../../../src/media/outputs/work-result.ts';
import { anAudioStream, anImageProbe, aProbe, aSubtitleStream, aVideoStream } from '../../builders/media/a-probe.ts';

const file = { fileId: 'f1', filename: 'output.mp4', format: 'mp4', sizeBytes: 1_234_567 } as const;

it('a video has the codec and size of its video stream', () => {
  const probe = aProbe([aVideoStream({ width: 180, height: 320 }), anAudioStream()], {
    durationSeconds: 2.020136,
  });
  expect(describeFile({ ...file, probe })).toEqual({
    file_id: 'f1',
    filename: 'output.mp4',
    size_mbytes: 1.234567,
    duration: 2.02,
    file_type: 'video',
    file_format: 'mp4',
    mime_type: 'video/mp4',
    codec: 'h264',
    width: 180,
    height: 320,
  });
});

it('an audio file has its codec and no size, even with a cover image', () => {
  const probe = aProbe([aVideoStream({ codec: 'png', isAttachedPicture: true }), anAudioStream({ codec: 'mp3' })]);
  const record = describeFile({ ...file, filename: 'output.mp3', format: 'mp3', probe });
  expect(record).toMatchObject({ file_type: 'audio', mime_type: 'audio/mpeg', codec: 'mp3', duration: 2 });
  expect(record).not.toHaveProperty('width');
});

it('an image has no duration', () => {
  const record = describeFile({ ...file, filename: 'output.png', format: 'png', probe: anImageProbe() });
  expect(record).toMatchObject({ file_type: 'image', codec: 'png', width: 320, height: 180 });
  expect(record).not.toHaveProperty('duration');
});

it('a subtitle file has its codec and the end of its last cue', () => {
  const probe = aProbe([aSubtitleStream({ codec: 'webvtt' })], { container: 'webvtt', durationSeconds: 1.9 });
  const record = describeFile({ ...file, filename: 'output.vtt', format: 'vtt', probe });
  const described = { file_type: 'subtitle', mime_type: 'text/vtt', codec: 'webvtt', duration: 1.9 };
  expect(record).toMatchObject(described);
  expect(record).not.toHaveProperty('width');
});

it('a file that is not media has only its size and type', () => {
  const record = describeFile({ fileId: 'f1', filename: 'output.json', format: 'json', sizeBytes: 340 });
  expect(record).toEqual({
    file_id: 'f1',
    filename: 'output.json',
    size_mbytes: 0.00034,
    file_type: 'data',
    file_format: 'json',
    mime_type: 'application/json',
  });
  expect(fileRecordSchema.parse(record)).toEqual(record);
});
