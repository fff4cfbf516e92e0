import { isLadderEncoding, type VideoEncoding } from '../../encoding/encoding.ts';
import type { PendingPlan, Plan } from '../../encoding/plan.ts';
import { probeBehind, stagesOf } from '../../encoding/video/fuse-encodings.ts';
import { prefixJobError } from '../../errors.ts';
import type { Probe } from '../../media/probe/probe.ts';
import { isInvisibleGap, mainVideo, requireVideo } from '../../media/probe/streams.ts';
import { planRecipe, type StoredRecipe } from '../registry.ts';

/** The input of the last recipe, and the number of the first step, from 0. */
type Context = Parameters<typeof planRecipe>[1] & { index: number };

/** The frames that the earlier recipes make: what a probe of them would report, and the encoding until then. */
type Frames = { probe: Probe; earlier?: VideoEncoding; isMuted: boolean };

/**
 * Plans recipes that are one encode: each on what the ones before it would write.
 * @throws JobError that names the step
 */
export function planFused(recipes: readonly StoredRecipe[], context: Context): Plan | PendingPlan {
  return planFrom(recipes, { probe: context.probe, isMuted: false }, context);
}

function planFrom(
  [recipe, ...others]: readonly StoredRecipe[],
  frames: Frames,
  { index, ...context }: Context,
): Plan | PendingPlan {
  if (recipe === undefined) throw new TypeError('A step has a recipe');
  const { probe, earlier, isMuted } = frames;
  const isLast = others.length === 0;
  const planNext = (next: Frames) => planFrom(others, next, { ...context, index: index + 1 });
  const video = mainVideo(probe);
  // Alone, it copies the video: its colors stay.
  if (recipe.name === 'mute' && !isLast && video && isInvisibleGap(video.startSeconds)) {
    const streams = probe.streams.filter(({ kind }) => kind !== 'audio');
    return planNext({ ...frames, probe: { ...probe, streams }, isMuted: true });
  }
  const planned = nameErrors(`Step ${index + 1} (${recipe.name})`, () =>
    planRecipe(recipe, {
      ...context,
      probe,
      ...(!isLast && { format: 'mp4', isIntermediate: false }),
      fusion: { source: context.probe, earlier, isMuted },
    }),
  );
  if (isLast) return planned;
  return mapPlan(planned, ({ encoding }) => {
    if (encoding === undefined || isLadderEncoding(encoding)) throw new TypeError(`${recipe.name} cannot be fused`);
    const own = stagesOf(requireVideo(probe), encoding).at(-1) ?? encoding;
    const range = earlier?.range === encoding.range ? undefined : ownRange(encoding, earlier);
    const behind = probeBehind(probe, { ...own, range, isMuted: encoding.isMuted ?? false });
    return planNext({ probe: behind, earlier: encoding, isMuted: encoding.isMuted ?? false });
  });
}

function nameErrors<Result>(label: string, plan: () => Result): Result {
  try {
    return plan();
  } catch (cause) {
    throw prefixJobError(cause, label);
  }
}

/** The range of the last of fused steps alone, of what the ones before it would write. */
function ownRange({ range }: VideoEncoding, earlier: VideoEncoding | undefined): VideoEncoding['range'] {
  const { start = 0 } = earlier?.range ?? {};
  return range && { start: range.start - start, end: range.end - start };
}

/** Replaces a plan by another one that depends on it: a pending plan once its measurements are known. */
function mapPlan(planned: Plan | PendingPlan, map: (plan: Plan) => Plan | PendingPlan): Plan | PendingPlan {
  if (!('measure' in planned)) return map(planned);
  const expected = mapPlan(planned.expected(), map);
  const { outputs, encoding } = expected;
  return {
    ...planned,
    outputs,
    encoding,
    decide: (log, results) => mapPlan(planned.decide(log, results), map),
    expected: () => expected,
  };
}
