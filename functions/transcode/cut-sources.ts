import type { PacketReader, PacketReadOptions, VideoToCut } from '@media-jobs/video/chunking';
import {
  type ChunkingDecision,
  type ChunkingPolicy,
  type FrameIndex,
  frameSeconds,
  planChunks,
  singlePassReason,
  timelineOriginSeconds,
  workOf,
} from '@media-jobs/video/chunking';
import type { CostTable } from '@media-jobs/video/cost-model';
import { clipShares, type PlanCost, planCost } from '@media-jobs/video/cost-model';
import type { ClipEncoding, Encoding, MediaFile, PendingPlan, Plan } from '@media-jobs/video/encoding';
import type { RemoteMedia } from '@media-jobs/video/ffmpeg';
import { endSecondsOf, requireVideo } from '@media-jobs/video/probe';
import { remainingSeconds, type TranscodeDeps, type WorkerContext } from '../../core/worker/worker-deps.ts';

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
  cost: PlanCost;
  table: CostTable;
  plan: Plan | PendingPlan;
  encoding: Encoding;
};

/** Cuts the sources into chunks, or returns the reason against it. Reads packets only if the probes do not decide it. */
export async function cutSources(
  { packetReader, chunking, processors, clock }: TranscodeDeps,
  { job, signal, deadline }: WorkerContext,
  { source, remote, cost, table, plan, encoding }: PlannedEncoding,
): Promise<Cut> {
  const policyFor = (final: PlanCost, measuring?: { measuringSeconds: 0 }): ChunkingPolicy => ({
    settings: chunking,
    speed: job.request.speed ?? 'standard',
    work: { ...workOf(final, processors), ...measuring },
    remainingSeconds: remainingSeconds(clock, deadline),
  });
  const { clips } = plan;
  const files = clips?.map(({ file }) => file) ?? [source];
  const durationSeconds = statedSeconds(files);
  if (durationSeconds !== undefined) {
    const reason = singlePassReason(encoding, durationSeconds, policyFor(cost));
    if (reason !== undefined) return { reason };
  }
  const reading = { signal, timeLimitSeconds: remainingSeconds(clock, deadline), remote };
  const videos = await readVideos(packetReader, { source, encoding, clips }, { reading, table });
  const measured =
    durationSeconds === undefined
      ? planCost(
          plan,
          videos.map(({ index }, number) => withDuration(files[number] ?? source, index)),
          table,
        )
      : cost;
  const decide = (final: Encoding, measuring?: { measuringSeconds: 0 }) => {
    // Only the first encoding depends on measurements.
    const resolved = videos.map((video, number) => (number === 0 ? { ...video, encoding: final } : video));
    return planChunks(resolved, policyFor(measured, measuring));
  };
  const decision = decide(encoding);
  return decision.chunks === undefined
    ? { reason: decision.reason }
    : { ...decision, decide: (final) => decide(final, { measuringSeconds: 0 }) };
}

/** Reads the packets of a source, or of those of clips that follow one another. `encoding` is that of the first. */
export async function readVideos(
  packetReader: Pick<PacketReader, 'readFrameIndex'>,
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
    const index = await packetReader.readFrameIndex(path, stream, reading);
    const share = clip && { clip: { ...clip, costShare: shares?.[number] ?? 0 } };
    videos.push({ probe, video, index, encoding, ...share });
  }
  return videos;
}

/** The seconds of all videos together; undefined if one does not state its own. */
function statedSeconds(files: readonly MediaFile[]): number | undefined {
  const seconds = files.map(({ probe }) => endSecondsOf(probe, [requireVideo(probe)]) ?? Number.NaN);
  const sum = seconds.reduce((total, each) => total + each, 0);
  return Number.isNaN(sum) ? undefined : sum;
}

/** A source that does not state its duration, with that of its frames. */
function withDuration({ path, probe }: MediaFile, index: FrameIndex): MediaFile {
  const frames = index.pts.length;
  return { path, probe: { ...probe, durationSeconds: frames === 0 ? 0 : frameSeconds(index, frames - 1) } };
}
