import { type FrameIndex, frameSeconds } from '../../core/chunking/frame-index/frame-index.ts';
import type { PacketReader, PacketReadOptions } from '../../core/chunking/frame-index/packet-reader.ts';
import { timelineOriginSeconds } from '../../core/chunking/frame-index/timeline.ts';
import type { VideoToCut } from '../../core/chunking/plan/cut-clips.ts';
import {
  type ChunkingDecision,
  type ChunkingPolicy,
  planChunks,
  singlePassReason,
  workOf,
} from '../../core/chunking/plan/plan-chunks.ts';
import type { CostTable } from '../../core/cost-model/cost-table.ts';
import { clipShares, type PlanCost, planCost } from '../../core/cost-model/plan-cost.ts';
import type { Encoding } from '../../core/encoding/encoding.ts';
import type { ClipEncoding, MediaFile, PendingPlan, Plan } from '../../core/encoding/plan.ts';
import type { RemoteMedia } from '../../core/media/ffmpeg/ports.ts';
import { endSecondsOf, requireVideo } from '../../core/media/probe/streams.ts';
import { remainingSeconds, type TranscodeDeps, type WorkerContext } from '../worker/worker-deps.ts';

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
