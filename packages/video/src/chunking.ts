export {
  assembleMovie,
  doesKeepLastFrame,
  type JoinedFragments,
  joinFragmentTables,
} from './chunking/assembly/assemble-movie.ts';
export { audioInChunk, joinDiskReason, mayAssemble, mayAssembleStream } from './chunking/assembly/may-assemble.ts';
export { frameTicksOf, type RetimedFragment, retimeFragments } from './chunking/assembly/retime-fragments.ts';
export { longAudioReason, wholeAudioSeconds } from './chunking/commands/audio-command.ts';
export { clipsAudio } from './chunking/commands/clips-audio.ts';
export {
  type JoinCommands,
  type JoinedVideo,
  type JoinFiles,
  joinCommands,
} from './chunking/commands/join-commands.ts';
export { checkCommand, passCommand, taskCommand } from './chunking/commands/task-command.ts';
export {
  type AudioTiming,
  decodeFrameTimes,
  encodeFileTimes,
  encodeFrameTimes,
  type FrameIndex,
  frameSeconds,
  timelineOriginSeconds,
} from './chunking/frame-index/frame-index.ts';
export type { PacketReader, PacketReadOptions } from './chunking/frame-index/packets.ts';
export {
  type ChunkedWork,
  type ChunkPlan,
  chunkFormat,
  type MediaLocation,
  readPlan,
  type StoredObject,
  workHash,
  writePlan,
} from './chunking/plan/chunk-plan.ts';
export {
  type ChunkingPolicy,
  chunkCount,
  chunkLength,
  singlePassBecause,
  workOf,
} from './chunking/plan/chunk-policy.ts';
export {
  type ChunkFailure,
  type ChunkResult,
  chunkFailureSchema,
  chunkResultSchema,
  type FragmentTable,
  parseChunkResult,
} from './chunking/plan/chunk-result.ts';
export {
  type ChunkTask,
  chunkedRenditions,
  chunkTasks,
  isStraggler,
  type RunProgress,
  runsFirst,
  sourcesOfTask,
  type TaskFiles,
  type TaskWork,
  taskFileCount,
} from './chunking/plan/chunk-tasks.ts';
export { type ChunkedClip, chunkedClips, outputTracks, type VideoToCut } from './chunking/plan/chunked-clips.ts';
export {
  type AudioChunk,
  type AudioCutOptions,
  audioChunkCount,
  type CutTrack,
  cutAudio,
  hasWholeFrames,
  type TrackChunk,
  wholeAudioReason,
} from './chunking/plan/cut-audio.ts';
export { type Chunk, cutVideo } from './chunking/plan/cut-video.ts';
export { type ChunkingDecision, planChunks } from './chunking/plan/plan-chunks.ts';
export { type ChunkTarget, type FirstResults, rateOfBytes, targetOfChunk } from './chunking/plan/rate-target.ts';
export {
  type ChunkSettings,
  chunkSettingsSchema,
  maxAudioChunks,
  maxChunks,
  maxParallelTasks,
  maxTaskSeconds,
} from './chunking/settings.ts';
export {
  type AudioMeasurements,
  type ChunkMeasurement,
  damageOfTasks,
  findJoinDefect,
  type JoinedFrames,
  measureChunk,
} from './chunking/verify/verify-join.ts';
export { targetOf } from './encoding/encoding.ts';
export type { AudioRange } from './media/mp4/read-track.ts';
