import { describe, expect, it } from 'vitest';
import type { Format } from '../../../src/media/formats.ts';
import type { Probe } from '../../../src/media/probe/probe.ts';
import { forecastGraph } from '../../../src/recipes/graph/forecast-graph.ts';
import { assignFormats, orderOutputs } from '../../../src/recipes/graph/steps.ts';
import { recipeRequestSchema } from '../../../src/recipes/registry.ts';
import { anAudioStream, aProbe, aSubtitleStream, aVideoStream } from '../../builders/media/a-probe.ts';

type StepRequest = { name?: string; recipe: Record<string, unknown> };

const tenSeconds = { durationSeconds: 10 };
const video = aProbe([aVideoStream(tenSeconds), anAudioStream(tenSeconds)], tenSeconds);

function errorMessage(stepRequests: StepRequest[], format: Format = 'mp4', probe: Probe = video): string | undefined {
  const requests = stepRequests.map(({ recipe, ...step }) => ({ ...step, recipe: recipeRequestSchema.parse(recipe) }));
  const files = { inputs: [{ path: '/in', probe }], assets: requests.map(() => ({})), canCompare: false };
  try {
    forecastGraph(assignFormats(requests, format), files);
    return undefined;
  } catch (error) {
    expect(error).toMatchObject({ name: 'JobError', code: 'INPUT_UNSUPPORTED', retryable: false });
    return (error as Error).message;
  }
}

const clip = (start: number, end: number) => ({ recipe: { name: 'clip', start, end } });

describe('forecastGraph', () => {
  it('accepts a pipeline in which each step fits the output before it', () => {
    const small = { name: 'small', recipe: { name: 'resize', width: 160, height: 90, fit: 'cover' } };
    expect(errorMessage([clip(2, 8), small, { recipe: { name: 'gif', seconds: 3 } }], 'gif')).toBeUndefined();
  });

  it.each<[string, StepRequest[], Format, string]>([
    ['uses the duration of the output before it', [clip(2, 5), clip(4, 5)], 'mp4', 'Step 2 (clip): '],
    [
      'knows that an earlier step leaves no audio',
      [{ recipe: { name: 'mute' } }, { recipe: { name: 'extract-audio' } }],
      'mp3',
      'Step 2 (extract-audio): This recipe needs an audio stream',
    ],
    [
      'knows that an earlier step leaves no video',
      [{ recipe: { name: 'extract-audio' } }, { recipe: { name: 'compress' } }],
      'mp4',
      'Step 2 (compress): This recipe needs a video stream',
    ],
    [
      'rejects a step after one with several outputs',
      [{ recipe: { name: 'thumbnails' } }, { recipe: { name: 'image', width: 64 } }],
      'jpg',
      'Step 1 (thumbnails): thumbnails makes several files, which no step can follow',
    ],
    [
      'rejects a step after an output that is not media',
      [{ recipe: { name: 'probe' } }, { recipe: { name: 'compress' } }],
      'mp4',
      'Step 1 (probe): probe makes a json file, which no step can follow',
    ],
    [
      'rejects a step after an animation that cannot be decoded',
      [{ recipe: { name: 'animated-webp', seconds: 2 } }, { recipe: { name: 'image', width: 64 } }],
      'webp',
      'Step 1 (animated-webp): animated-webp makes an animation that cannot be decoded, so no step can follow',
    ],
    [
      'rejects a name for a step that names its files itself',
      [clip(1, 4), { name: 'thumbnails', recipe: { name: 'thumbnails', every: 1 } }],
      'jpg',
      'Step 2 (thumbnails): thumbnails names its files itself: leave out the name of the step',
    ],
    [
      'rejects two outputs of the same name',
      [{ name: 'thumbnail-001', ...clip(1, 4) }, { recipe: { name: 'thumbnails', every: 1 } }],
      'jpg',
      'Step 2 (thumbnails): thumbnails makes a file called thumbnail-001, which is the name of another step',
    ],
  ])('%s', (_promise, steps, format, message) => expect(errorMessage(steps, format)).toContain(message));

  describe('knows what a step copies', () => {
    const source = aProbe(
      [
        aVideoStream({ ...tenSeconds, codec: 'hevc', hdrTransfer: 'pq' }),
        anAudioStream({ ...tenSeconds, index: 1 }),
        anAudioStream({ ...tenSeconds, index: 2 }),
        aSubtitleStream({ index: 3 }),
      ],
      tenSeconds,
    );
    const remux = { recipe: { name: 'remux' } };
    const keyframeClip = { recipe: { name: 'clip', accuracy: 'keyframe', start: 1 } };

    it.each<[StepRequest[], Format]>([
      [[{ recipe: { name: 'mute' } }, { recipe: { name: 'hdr-to-sdr' } }], 'mp4'],
      [[{ recipe: { name: 'normalize-audio' } }, { recipe: { name: 'hdr-to-sdr' } }], 'mov'],
      [[remux, { recipe: { name: 'hdr-to-sdr' } }], 'mp4'],
      [[keyframeClip, { recipe: { name: 'hdr-to-sdr' } }], 'mkv'],
      [[remux, { recipe: { name: 'transcode', audioTracks: [1] } }], 'mp4'],
      [[keyframeClip, { recipe: { name: 'extract-audio', track: 1 } }], 'mp3'],
      [[keyframeClip, { recipe: { name: 'extract-subtitles' } }], 'vtt'],
    ])('%j', (steps, format) => expect(errorMessage(steps, format, source)).toBeUndefined());

    it('and what it leaves out', () => {
      const muted = { recipe: { name: 'mute' } };
      expect(errorMessage([muted, { recipe: { name: 'extract-audio' } }], 'mp3', source)).toContain(
        'Step 2 (extract-audio): This recipe needs an audio stream',
      );
      expect(errorMessage([muted, { recipe: { name: 'extract-subtitles' } }], 'vtt', source)).toContain(
        'Step 2 (extract-subtitles): ',
      );
      expect(errorMessage([keyframeClip, clip(8, 10)], 'mp4', source)).toContain('Step 2 (clip): ');
    });
  });

  it('knows the audio tracks that a step encodes', () => {
    const two = aProbe(
      [aVideoStream(tenSeconds), ...[1, 2].map((index) => anAudioStream({ ...tenSeconds, index }))],
      tenSeconds,
    );
    const both = { recipe: { name: 'transcode', audioTracks: [0, 1] } };
    expect(errorMessage([both, { recipe: { name: 'extract-audio', track: 1 } }], 'mp3', two)).toBeUndefined();
  });

  it('knows the names of the subtitles of a stream', () => {
    const subtitled = aProbe([aVideoStream(tenSeconds), aSubtitleStream({ index: 1 })], tenSeconds);
    const copy = { name: 'subtitles-1', recipe: { name: 'remux' } };
    expect(errorMessage([copy, { recipe: { name: 'hls' } }], 'm3u8', subtitled)).toBe(
      'Step 2 (hls): hls makes a file called subtitles-1, which is the name of another step',
    );
  });

  it.each(['mov', 'webm'] as const)('knows that %s can be copied', (format) => {
    const turned = { recipe: { name: 'rotate', degrees: 90 } };
    const copy = { recipe: { name: 'clip', accuracy: 'keyframe', start: 1 } };
    expect(errorMessage([{ ...turned, name: 'turned' }, copy], format)).toBeUndefined();
  });

  it('does not name the step of a job that has only one', () => {
    expect(errorMessage([clip(40, 50)])).not.toContain('Step');
  });
});

describe('the format of a step', () => {
  const formatsOf = (names: string[], last: Format) =>
    assignFormats(
      names.map((name) => ({ recipe: recipeRequestSchema.parse({ name }) })),
      last,
    ).map(({ format }) => format);

  it('is that of the request if the recipe supports it', () => {
    expect(formatsOf(['mute', 'mute', 'transcode'], 'mov')).toEqual(['mov', 'mov', 'mov']);
  });

  it('loses less or encodes faster if the output is an intermediate', () => {
    expect(formatsOf(['mute', 'clip', 'transcode'], 'webm')).toEqual(['mp4', 'mp4', 'webm']);
    expect(formatsOf(['mute', 'transcode', 'clip'], 'webm')).toEqual(['mp4', 'webm', 'webm']);
    expect(formatsOf(['thumbnail', 'image'], 'jpg')).toEqual(['png', 'jpg']);
    const recipe = recipeRequestSchema.parse({ name: 'mute' });
    const [kept] = assignFormats([{ name: 'kept', recipe }, { recipe }], 'webm');
    expect(kept).toMatchObject({ format: 'webm', isIntermediate: false });
  });

  it('is otherwise the first of the recipe', () => {
    expect(formatsOf(['compress', 'mute', 'gif'], 'gif')).toEqual(['mp4', 'mp4', 'gif']);
  });
});

describe('forecastGraph, of outputs', () => {
  const recipe = (name: string, parameters = {}) => recipeRequestSchema.parse({ name, ...parameters });
  const small = { recipe: recipe('compress', { maxWidth: 160 }), format: 'mp4' as const };
  const poster = { recipe: recipe('thumbnail'), format: 'jpg' as const };

  /** The outputs that are expected, in their order, and how the others end. */
  function forecast(outputs: Parameters<typeof orderOutputs>[0], probe = video) {
    const steps = orderOutputs(outputs);
    const nameOf = (index: number) => steps[index]?.name ?? '';
    const { steps: made, ended } = forecastGraph(steps, {
      inputs: [{ path: '/in', probe }],
      assets: [],
      canCompare: false,
    });
    return {
      made: made.map(({ index }) => nameOf(index)),
      ended: Object.fromEntries(
        [...ended].map(([index, end]) => [nameOf(index), end.is === 'failed' ? end.error.output : end.is]),
      ),
    };
  }

  it.each<[string, Parameters<typeof orderOutputs>[0], ReturnType<typeof forecast>]>([
    [
      'takes fast ones first, each behind the one that it reads',
      { small, poster, still: { ...poster, from: 'small' } },
      { made: ['poster', 'small', 'still'], ended: {} },
    ],
    [
      'skips those whose condition does not hold, and what reads them',
      { small: { ...small, when: { minHeight: 2160 } }, still: { ...poster, from: 'small' }, poster },
      { made: ['poster'], ended: { small: 'skipped', still: 'skipped' } },
    ],
    [
      'holds a condition against the output that is read',
      {
        small,
        still: { ...poster, from: 'small', when: { minWidth: 161 } },
        other: { ...poster, from: 'small', when: { minWidth: 160, hasAudio: true, hasVideo: true, minSeconds: 9 } },
      },
      { made: ['small', 'other'], ended: { still: 'skipped' } },
    ],
    [
      'skips what nothing reads that is made',
      { small: { ...small, deliver: false }, still: { ...poster, from: 'small', when: { hasAudio: false } }, poster },
      { made: ['poster'], ended: { small: 'skipped', still: 'skipped' } },
    ],
    [
      'ends an optional output that cannot be made, and what reads it',
      {
        clip: { recipe: recipe('clip', { start: 60 }), format: 'mp4', optional: true },
        still: { ...poster, from: 'clip', optional: true },
        poster,
      },
      { made: ['poster'], ended: { clip: 'clip', still: 'still' } },
    ],
  ])('%s', (_, outputs, expected) => expect(forecast(outputs)).toEqual(expected));

  it('names the output that cannot be made', () => {
    const sound = { recipe: recipe('extract-audio'), format: 'mp3' as const };
    const mute = { recipe: recipe('mute'), format: 'mp4' as const, optional: true };
    expect(() => forecast({ mute, sound: { ...sound, from: 'mute' } })).toThrow(
      expect.objectContaining({ output: 'sound' }),
    );
    expect(() => forecast({ small, sound }, aProbe([aVideoStream(tenSeconds)], tenSeconds))).toThrow(
      expect.objectContaining({
        code: 'INPUT_UNSUPPORTED',
        output: 'sound',
        message: expect.not.stringContaining('Step'),
      }),
    );
  });
});
