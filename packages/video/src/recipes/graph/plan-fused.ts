import { isLadderEncoding, stagesOf, type VideoEncoding } from '../../encoding/encoding.ts';
import type { PendingPlan, Plan } from '../../encoding/plan.ts';
import { probeBehind } from '../../encoding/video/fuse-encodings.ts';
import { withSubject } from '../../errors.ts';
import type { Probe } from '../../media/probe/probe.ts';
import { isInvisibleGap, mainVideo, requireVideo } from '../../media/probe/streams.ts';
import { planRecipe, type StoredRecipe } from '../registry.ts';

/** The input of the last recipe, and the number of the first step, from 0. */
type Context = Parameters<typeof planRecipe>[1] & { index: number };

/** The frames that the earlier recipes make: what a probe of them would report, and the encoding until then. */
type Frames = { probe: Probe; earlier?: VideoEncoding; isMuted: boolean };

/** Plans recipes of one encode, each on what the ones before would write. @throws JobError that names the step */
export function planFused(
  [recipe, ...others]: readonly StoredRecipe[],
  { index, ...context }: Context,
  frames: Frames = { probe: context.probe, isMuted: false },
): Plan | PendingPlan {
  if (recipe === undefined) throw new TypeError('A step has a recipe');
  const { probe, earlier, isMuted } = frames;
  const isLast = others.length === 0;
  const planNext = (next: Frames) => planFused(others, { ...context, index: index + 1 }, next);
  const video = mainVideo(probe);
  // Alone, it copies the video: its colors stay.
  if (recipe.name === 'mute' && !isLast && video && isInvisibleGap(video.startSeconds)) {
    const streams = probe.streams.filter(({ kind }) => kind !== 'audio');
    return planNext({ ...frames, probe: { ...probe, streams }, isMuted: true });
  }
  const planned = withSubject(`Step ${index + 1} (${recipe.name})`, () =>
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

/** The range of the last of fused steps alone, of what the ones before it would write. */
function ownRange({ range }: VideoEncoding, earlier: VideoEncoding | undefined): VideoEncoding['range'] {
  const { start = 0 } = earlier?.range ?? {};
  return range && { start: range.start - start, end: range.end - start };
}

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
