import {
  type ChunkingDecision,
  type ChunkingPolicy,
  type FrameIndex,
  frameSeconds,
  type PacketReader,
  type PacketReadOptions,
  planChunks,
  timelineOriginSeconds,
  type VideoToCut,
  workOf,
} from '@media-jobs/video/chunking';
import { type CostTable, clipShares, planCost } from '@media-jobs/video/cost-model';
import { hasUnknownDuration } from '@media-jobs/video/decide';
import type { ClipEncoding, Encoding, MediaFile, PendingPlan, Plan } from '@media-jobs/video/encoding';
import type { RemoteMedia } from '@media-jobs/video/ffmpeg';
import { requireVideo } from '@media-jobs/video/probe';
import type { StepForecast } from '@media-jobs/video/recipes';
import type { JobPorts } from '../../core/worker/ports.ts';
import { remainingSeconds, type WorkerContext } from '../../core/worker/worker-context.ts';
import type { JobForecast } from './graph-state.ts';

type Cut =
  | { reason: string; chunks?: never }
  | (Extract<ChunkingDecision, { chunks: object }> & {
      /** The decision for the final encoding, once the measurements of the plan are known. */
      decide: (encoding: Encoding) => ChunkingDecision;
    });

type PlannedEncoding = {
  source: MediaFile;
  /** Set if the source is not on this disk. */
  remote: RemoteMedia | undefined;
  forecast: JobForecast;
  step: StepForecast;
  policy: ChunkingPolicy;
  plan: Plan | PendingPlan;
  encoding: Encoding;
};

/** Cuts the sources into chunks by their packets, or returns the reason against it. */
export async function cutSources(
  { packets, processors, clock }: JobPorts,
  { signal, deadline }: WorkerContext,
  { source, remote, forecast: { table }, step, policy, plan, encoding }: PlannedEncoding,
): Promise<Cut> {
  const { clips } = plan;
  const files = clips?.map(({ file }) => file) ?? [source];
  const reading = { signal, timeLimitSeconds: remainingSeconds(clock, deadline), remote };
  const videos = await readVideos(packets, { source, encoding, clips }, { reading, table });
  const withFrames = () => videos.map(({ index }, number) => withDuration(files[number] ?? source, index));
  const work = hasUnknownDuration(step) ? workOf(planCost(plan, withFrames(), table), processors) : policy.work;
  const decide = (final: Encoding, measuring?: { measuringSeconds: 0 }) => {
    // Only the first encoding depends on measurements.
    const resolved = videos.map((video, number) => (number === 0 ? { ...video, encoding: final } : video));
    const seconds = remainingSeconds(clock, deadline);
    return planChunks(resolved, { ...policy, work: { ...work, ...measuring }, remainingSeconds: seconds });
  };
  const decision = decide(encoding);
  return decision.chunks === undefined
    ? { reason: decision.reason }
    : { ...decision, decide: (final) => decide(final, { measuringSeconds: 0 }) };
}

/** Reads the packets of a source, or of those of clips that follow one another. `encoding` is that of the first. */
export async function readVideos(
  packets: PacketReader,
  {
    source,
    encoding: first,
    clips,
  }: { source: MediaFile; encoding: Encoding; clips?: readonly ClipEncoding[] | undefined },
  { reading, table }: { reading: PacketReadOptions; table?: CostTable },
): Promise<VideoToCut[]> {
  const shares = clips && clipShares(clips, table);
  const videos: VideoToCut[] = [];
  for (const [number, clip] of (clips ?? [undefined]).entries()) {
    const { path, probe } = clip?.file ?? source;
    const encoding = number === 0 ? first : (clip?.encoding ?? first);
    const video = requireVideo(probe);
    const stream = { stream: video.index, fileSeconds: timelineOriginSeconds(probe, encoding) };
    const index = await packets.readFrameIndex(path, stream, reading);
    const share = clip && { clip: { ...clip, costShare: shares?.[number] ?? 0 } };
    videos.push({ probe, video, index, encoding, ...share });
  }
  return videos;
}

/** Gives a source that does not state its duration that of its frames. */
function withDuration({ path, probe }: MediaFile, index: FrameIndex): MediaFile {
  const frames = index.pts.length;
  return { path, probe: { ...probe, durationSeconds: frames === 0 ? 0 : frameSeconds(index, frames - 1) } };
}
