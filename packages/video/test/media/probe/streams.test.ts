import { describe, expect, it } from 'vitest';
import {
  endSecondsOf,
  mainAudio,
  mainVideo,
  requireAudio,
  requireVideo,
  requireVideoStream,
} from '../../../src/media/probe/streams.ts';
import { anAudioStream, anImageProbe, aProbe, aVideoStream } from '../../builders/media/a-probe.ts';

const cover = aVideoStream({ index: 0, codec: 'png', isAttachedPicture: true });

describe('the stream that a recipe uses', () => {
  it('is the first video stream that is not a cover image', () => {
    const probe = aProbe([cover, aVideoStream({ index: 2 }), aVideoStream({ index: 3 })]);
    expect(mainVideo(probe)?.index).toBe(2);
  });

  it('is a video that players show, if there is one', () => {
    const hidden = aVideoStream({ index: 1, isDefault: false });
    expect(mainVideo(aProbe([hidden, aVideoStream({ index: 2 })]))?.index).toBe(2);
    expect(mainVideo(aProbe([hidden, { ...hidden, index: 2 }]))?.index).toBe(1);
  });

  it('is the default audio track, else the first', () => {
    const first = anAudioStream({ index: 1, isDefault: false });
    expect(mainAudio(aProbe([first, anAudioStream({ index: 2, isDefault: true })]))?.index).toBe(2);
    expect(mainAudio(aProbe([first, anAudioStream({ index: 2, isDefault: false })]))?.index).toBe(1);
  });

  it.each(['description', 'clean-audio', 'receiver-mix'] as const)(
    'is for everybody, if there is one: not a %s',
    (accessibility) => {
      const first = anAudioStream({ index: 1, isDefault: true, accessibility });
      const second = anAudioStream({ index: 2, isDefault: false });
      expect(mainAudio(aProbe([first, second]))?.index).toBe(2);
      expect(mainAudio(aProbe([first]))?.index).toBe(1);
    },
  );

  it('is a decodable one if there is one', () => {
    const strange = anAudioStream({ index: 1, codec: 'unknown', isDefault: true });
    const plain = anAudioStream({ index: 2, isDefault: false });
    expect(mainAudio(aProbe([strange, plain]))?.index).toBe(2);
    expect(mainAudio(aProbe([strange]))).toBeUndefined();
    expect(() => requireAudio(aProbe([{ ...strange, codec: 'ac4' }]))).toThrow(
      'The audio of the input is ac4, which no decoder of this service has',
    );
    expect(mainVideo(aProbe([aVideoStream({ codec: 'unknown' }), aVideoStream({ index: 3 })]))?.index).toBe(3);
  });

  it('is of the program of the main video, if it is in one', () => {
    const radio = anAudioStream({ index: 0, programs: [0] });
    const shared = anAudioStream({ index: 2, programs: [0, 1], isDefault: false });
    const video = aVideoStream({ index: 1, programs: [1] });
    expect(mainAudio(aProbe([radio, video, shared]))?.index).toBe(2);
    expect(mainAudio(aProbe([radio, video]))).toBeUndefined();
    expect(mainAudio(aProbe([radio, aVideoStream({ index: 1 })]))?.index).toBe(0);
    expect(mainAudio(aProbe([radio, shared]))?.index).toBe(0);
  });

  const tiled = { tileIds: [2, 3], columns: 2, rows: 1, size: { width: 4, height: 2 }, rotation: 0 } as const;

  it.each([
    [requireVideoStream, aProbe([cover, anAudioStream()]), 'needs a video stream'],
    [requireVideoStream, aProbe([aVideoStream({ heif: tiled })]), 'found tiles'],
    [requireVideo, anImageProbe(), 'needs a video; the input is a still image'],
    [requireAudio, aProbe([aVideoStream()]), 'needs an audio stream'],
  ])('is rejected if there is none (%#)', (require, probe, message) => {
    expect(() => require(probe)).toThrow(expect.objectContaining({ code: 'INPUT_UNSUPPORTED', retryable: false }));
    expect(() => require(probe)).toThrow(message);
  });
});

describe('endSecondsOf', () => {
  it('is the end of the last stream, with its start offset', () => {
    const late = aVideoStream({ startSeconds: 0.5, durationSeconds: 2 });
    expect(endSecondsOf(aProbe(), [late, anAudioStream({ durationSeconds: 2.2 }), undefined])).toBe(2.5);
  });

  it('is that of the file if a stream declares none', () => {
    const { durationSeconds: _, ...silent } = aVideoStream();
    expect(endSecondsOf(aProbe(undefined, { durationSeconds: 9 }), [silent, anAudioStream()])).toBe(9);
  });
});
