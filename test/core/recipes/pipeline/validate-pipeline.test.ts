import { describe, expect, it } from 'vitest';
import type { Format } from '../../../../core/media/formats.ts';
import type { Probe } from '../../../../core/media/probe/probe.ts';
import { assignFormats } from '../../../../core/recipes/pipeline/steps.ts';
import { validatePipeline } from '../../../../core/recipes/pipeline/validate-pipeline.ts';
import { recipeRequestSchema } from '../../../../core/recipes/registry.ts';
import { anAudioStream, aProbe, aVideoStream } from '../../../builders/media/a-probe.ts';

type Asked = { name?: string; recipe: Record<string, unknown> };

const tenSeconds = { durationSeconds: 10 };
const film = aProbe([aVideoStream(tenSeconds), anAudioStream(tenSeconds)], tenSeconds);

function refusal(asked: Asked[], format: Format = 'mp4', probe: Probe = film): string | undefined {
  const requests = asked.map(({ recipe, ...step }) => ({
    ...step,
    recipe: recipeRequestSchema.parse(recipe),
  }));
  const files = {
    inputs: [{ path: '/in', probe }],
    assets: requests.map(() => ({})),
    filters: new Set<string>(),
  };
  try {
    validatePipeline(assignFormats(requests, format), files);
    return undefined;
  } catch (error) {
    expect(error).toMatchObject({ name: 'JobError', code: 'INPUT_UNSUPPORTED', retryable: false });
    return (error as Error).message;
  }
}

const clip = (start: number, end: number) => ({ recipe: { name: 'clip', start, end } });

describe('a pipeline before it begins', () => {
  it('passes where each step can follow the one before', () => {
    const small = { name: 'small', recipe: { name: 'resize', width: 160, height: 90, fit: 'cover' } };
    expect(refusal([clip(2, 8), small, { recipe: { name: 'gif', seconds: 3 } }], 'gif')).toBeUndefined();
  });

  it.each<[string, Asked[], Format, string]>([
    ['goes by the length that an earlier step leaves', [clip(2, 5), clip(4, 5)], 'mp4', 'Step 2 (clip): '],
    [
      'hears that an earlier step leaves no sound',
      [{ recipe: { name: 'mute' } }, { recipe: { name: 'extract-audio' } }],
      'mp3',
      'Step 2 (extract-audio): This recipe needs an audio stream',
    ],
    [
      'sees that an earlier step leaves no picture',
      [{ recipe: { name: 'extract-audio' } }, { recipe: { name: 'compress' } }],
      'mp4',
      'Step 2 (compress): This recipe needs a video stream',
    ],
    [
      'lets nothing follow several files',
      [{ recipe: { name: 'thumbnails' } }, { recipe: { name: 'image', width: 64 } }],
      'jpg',
      'Step 1 (thumbnails): thumbnails makes several files, which no step can follow',
    ],
    [
      'lets nothing follow a file that is no media',
      [{ recipe: { name: 'probe' } }, { recipe: { name: 'compress' } }],
      'mp4',
      'Step 1 (probe): probe makes a json file, which no step can follow',
    ],
    [
      'lets nothing follow an animation that cannot be decoded',
      [{ recipe: { name: 'animated-webp', seconds: 2 } }, { recipe: { name: 'image', width: 64 } }],
      'webp',
      'Step 1 (animated-webp): animated-webp makes an animation that cannot be decoded, so no step can follow',
    ],
    [
      'gives no name of the request to files that have their own',
      [clip(1, 4), { name: 'pictures', recipe: { name: 'thumbnails', every: 1 } }],
      'jpg',
      'Step 2 (thumbnails): thumbnails names its files itself: leave out the name of the step',
    ],
    [
      'keeps two files of one name apart',
      [{ name: 'thumbnail-001', ...clip(1, 4) }, { recipe: { name: 'thumbnails', every: 1 } }],
      'jpg',
      'Step 2 (thumbnails): thumbnails makes a file called thumbnail-001, which is the name of another step',
    ],
  ])('%s', (_promise, steps, format, message) => {
    expect(refusal(steps, format)).toContain(message);
  });

  it('says nothing of steps where there is one', () => {
    expect(refusal([clip(40, 50)])).not.toContain('Step');
  });
});

describe('the formats of steps', () => {
  const formatsOf = (names: string[], last: Format) =>
    assignFormats(
      names.map((name) => ({ recipe: recipeRequestSchema.parse({ name }) })),
      last,
    ).map(({ format }) => format);

  it('are that of the request wherever the recipe writes it', () => {
    expect(formatsOf(['mute', 'mute', 'transcode'], 'mov')).toEqual(['mov', 'mov', 'mov']);
  });

  it('are others, that lose less or are written sooner, of what nobody keeps', () => {
    expect(formatsOf(['mute', 'clip', 'transcode'], 'webm')).toEqual(['mp4', 'mp4', 'webm']);
    expect(formatsOf(['mute', 'transcode', 'clip'], 'webm')).toEqual(['mp4', 'webm', 'webm']);
    expect(formatsOf(['thumbnail', 'image'], 'jpg')).toEqual(['png', 'jpg']);
    const recipe = recipeRequestSchema.parse({ name: 'mute' });
    const [kept] = assignFormats([{ name: 'kept', recipe }, { recipe }], 'webm');
    expect(kept).toMatchObject({ format: 'webm', isIntermediate: false });
  });

  it('are the first of the recipe elsewhere', () => {
    expect(formatsOf(['compress', 'mute', 'gif'], 'gif')).toEqual(['mp4', 'mp4', 'gif']);
  });
});
